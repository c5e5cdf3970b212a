import { VernalError } from '@vernal/core';

/** The error that a run ends with, which must be a typed one. */
export async function failure(run: Promise<unknown>): Promise<VernalError> {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
}
