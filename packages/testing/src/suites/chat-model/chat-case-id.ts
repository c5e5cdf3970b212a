/** Stable: a report of today compares with one of last year. */
export type ChatModelCaseId = `chat.${string}`;
