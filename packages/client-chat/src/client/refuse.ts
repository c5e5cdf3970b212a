import { VernalError } from '@vernal/core';

/** `subject` is the name of what is wrong, `fix` what is wanted instead. */
export function refuse(subject: string, fix: string): VernalError {
  return new VernalError(`${subject}: ${fix}`, { code: 'invalid_argument', subject });
}

export function refuseBlank(subject: string, text: unknown): void {
  if (typeof text !== 'string' || isBlank(text)) throw refuse(subject, 'must be text that is not blank');
}

/** Most texts begin with a letter: no search then. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 127) && !/\S/.test(text);
}
