import { VernalError } from '@vernal/core';

/** What no other try mends, what says who may see what, and an abort. */
const ENDING: ReadonlySet<string> = new Set([
  'aborted',
  'filter_parse',
  'filter_invalid',
  'invalid_argument',
  'unsupported_capability',
]);

/** Whether going on without the store would hide what the caller has to know. */
export function endsTheTurn(error: unknown): boolean {
  return VernalError.is(error) && ENDING.has(error.code);
}

/** What an error may be called where contents must not go. */
export function failureCode(error: unknown): string {
  return VernalError.is(error) ? error.code : 'unknown';
}
