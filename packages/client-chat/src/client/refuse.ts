import { VernalError } from '@vernal/core';

/** `subject` is the name of what is wrong, `fix` what is wanted instead. */
export function refuse(subject: string, fix: string): VernalError {
  return new VernalError(`${subject}: ${fix}`, { code: 'invalid_argument', subject });
}

export function refuseBlank(subject: string, text: unknown): void {
  if (typeof text !== 'string' || text.trim() === '') throw refuse(subject, 'must be text that is not blank');
}
