import { VernalError } from '@vernal/core';

/** Of a write that lost against others again and again: nothing was written. */
export function tooManyWriters(): VernalError {
  return new VernalError('Too many write to the conversation at once, and nothing was written; try again', {
    code: 'store_write',
    retryable: true,
    details: { code: 'contention' },
  });
}
