import { VernalError } from '@vernal/core';

/** `subject` is the name of what is wrong, `fix` says what is wanted instead. */
export function invalidArgument(subject: string, fix: string): VernalError {
  return new VernalError(`${subject}: ${fix}`, { code: 'invalid_argument', subject });
}
