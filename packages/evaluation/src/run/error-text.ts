import { VernalError } from '@vernal/core';

/** An error in one line that quotes nothing: the words of foreign errors may be those of a prompt or a document. */
export function errorText(error: unknown): string {
  if (VernalError.is(error)) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return 'something was thrown that is no error';
  // A name may be set to anything, too.
  return /^\w{1,64}$/.test(error.name) ? error.name : 'Error';
}
