import { VernalError } from './vernal-error.js';

/**
 * The error for an option or an argument that cannot be right: code `invalid_argument`, message `subject: fix`.
 *
 * @param subject - the name of what is wrong, never its value
 * @param fix - says what is wanted instead: 'must be a whole number, at least 1'
 */
export function invalidArgument(subject: string, fix: string, cause?: unknown): VernalError {
  return new VernalError(`${subject}: ${fix}`, { code: 'invalid_argument', subject, cause });
}
