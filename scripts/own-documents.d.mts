/** The documentation and every package's README, relative to the top of the repository. */
export function ownDocuments(): string[];
/** What `npm start` asks. */
export const ownQuestions: readonly string[];
