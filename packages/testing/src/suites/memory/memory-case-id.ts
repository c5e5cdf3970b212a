/** Stable: a report of today compares with one of last year. */
export type MemoryCaseId = `memory.${string}`;
