import { invalidArgument } from '@vernal/core';

export function refuseBlank(subject: string, text: unknown): void {
  if (typeof text !== 'string' || isBlank(text)) throw invalidArgument(subject, 'must be text that is not blank');
}

/** Of what maps keys to values: what is no object, and blank keys. */
export function refuseBlankKeys(subject: string, values: unknown): void {
  if (typeof values !== 'object' || values === null) throw invalidArgument(subject, 'must be an object');
  if (Object.keys(values).some(isBlank)) throw invalidArgument(subject, 'a key must be text that is not blank');
}

/** Most texts begin with a letter: no search then. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 127) && !/\S/.test(text);
}
