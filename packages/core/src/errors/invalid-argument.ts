import { VernalError } from './vernal-error.js';

/** `subject` is the name of what is wrong, `fix` a sentence that says what is wanted instead. */
export function invalidArgument(subject: string, fix: string, cause?: unknown): VernalError {
  return new VernalError(`${subject}: ${fix}`, { code: 'invalid_argument', subject, cause });
}
