/** Packages whose examples need a server of their own: compiled, and not run. */
export const ON_SERVERS: ReadonlySet<string>;
/** The first example of every package's README; `prints` are the texts that it says it prints. */
export function readmeExamples(): { name: string; folder: string; code: string; prints: string[] }[];
