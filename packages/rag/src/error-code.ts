import { VernalError } from '@vernal/core';

/** What an error may be called where contents must not go: the code of a `VernalError`, else the name of its kind. */
export function errorCode(error: unknown): string {
  if (VernalError.is(error)) return error.code;
  return error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : 'Error';
}
