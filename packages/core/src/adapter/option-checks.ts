import { invalidArgument } from '@vernal/core';

/** Of a name that is no option, as much as an error shows. */
const SHOWN = 80;

/**
 * Refuses options that are none: what is misspelt would be ignored in silence, by those who write without types above all.
 *
 * @throws VernalError `invalid_argument`, with the name as its subject and the list of those that there are
 * @example
 * requireOptionNames(options, ['client', 'url', 'pageSize']);
 */
export function requireOptionNames<T extends object>(options: T, names: readonly (keyof T & string)[]): void {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', 'must be an object');
  for (const name of Object.keys(options)) {
    if ((names as readonly string[]).includes(name)) continue;
    throw invalidArgument(name.slice(0, SHOWN), `is no option; there are ${names.join(', ')}`);
  }
}

/** Gives `value` back. Throws `invalid_argument` for what is no whole number from 1 to `most`. */
export function requireCount(value: number, subject: string, most: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  const limit = most === Number.MAX_SAFE_INTEGER ? 'at least 1' : `from 1 to ${most}`;
  throw invalidArgument(subject, `must be a whole number, ${limit}`);
}
