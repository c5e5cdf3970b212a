import { checkFind, type FindMessagesOptions } from '@vernal/core';

/** The largest that every engine takes as a limit. */
const MOST = 2 ** 31 - 1;

/** `FindMessagesOptions`, checked. */
export interface FindRange {
  /** A whole number, 0 to 2,147,483,647; undefined is all. */
  readonly last: number | undefined;
  /** A whole number; undefined is no limit. */
  readonly before: number | undefined;
  /** True when system messages from outside of the range are wanted and there may be some. */
  readonly includeSystem: boolean;
}

/** Throws `invalid_argument` for a `last` or `before` that is no number, and for a negative `last`. */
export function findRange(options: FindMessagesOptions = {}): FindRange {
  checkFind(options);
  const { last, before, includeSystem = false } = options;
  const range = {
    last: last === undefined || last > MOST ? undefined : Math.floor(last),
    before: before === undefined || before > Number.MAX_SAFE_INTEGER ? undefined : Math.max(0, Math.ceil(before)),
  };
  return { ...range, includeSystem: includeSystem && (range.last !== undefined || range.before !== undefined) };
}
