import type { VernalErrorCode } from '@vernal/core';

/** What is said of a fault that an engine has a code for. */
export interface SqlFault {
  /** What to do about it. */
  readonly fix: string;
  /** The option that it is about. */
  readonly subject?: string | undefined;
}

/** How what a driver threw is told. All may be left out. */
export interface SqlErrorOptions<F> {
  /** Default `'database'`. */
  readonly code?: VernalErrorCode | undefined;
  /** What the caller knows better than this package: it goes before what is said here. */
  readonly faults?: F | undefined;
}

/** Codes of Node.js for a server that cannot be reached. */
export const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
]);
export const ENDED = 'the pool was ended: pass one that is open';
export const LOST =
  'the connection was lost or could not be had: check that the server runs, and the settings of the pool';
export const BUSY = 'the server is busy or restarting: try again later';
export const DEADLOCK = 'another transaction was in the way: try again';
export const TABLE = 'the table does not exist: create it';
export const COLUMN = 'the table has other columns';
export const RIGHTS = 'the user may not do this: grant it the rights on the table';
export const PASSWORD = 'the user or the password was refused: check the settings of the pool';
export const DUPLICATE = 'a row with the same key is there already';
export const TOO_LONG = 'a text is longer than its column: make the column longer';
export const CANCELLED = 'the statement was cancelled, by a limit of time or by hand: give it more time';

/** Where nothing was reached, nothing was done. */
const NEVER_THERE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ESOCKET',
  'NJS-503',
  'NJS-511',
]);

/** What is known of statements whose connection was lost: unless there was none, nobody can say whether the server has done them. */
export function outcomeOfLost(fix: string, reason: unknown): { readonly outcome?: 'unknown' } {
  return fix === LOST && !NEVER_THERE.has(reason) ? { outcome: 'unknown' } : {};
}

/** A field of what was thrown, whatever that is. */
export function fieldOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined;
}
