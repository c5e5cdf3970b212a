/** Puts right what a client may say about how answers are read: a number is to be one, also in what a write says of itself. */
export const PLAIN_VALUES = { raw: false, promoteValues: true, promoteLongs: true, useBigInt64: false } as const;
