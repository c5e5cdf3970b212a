import { VernalError } from '@vernal/core';

/**
 * What the driver threw, as a `VernalError`: `store_read` or `store_write`. Its words stay out: they may quote values. Name the fix for the
 * faults that users will meet, and say `retryable` for those that pass.
 */
export function starterError(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  if (VernalError.is(thrown)) return thrown;
  return new VernalError('Starter refused: check that it runs, and the settings of the client', { code });
}
