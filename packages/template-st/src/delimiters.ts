import { invalidArgument } from '@vernal/core';
import type { Delimiters } from './language/scanner.js';

/** Characters that stand inside placeholders. */
const TAKEN = /^[\p{L}\p{M}\p{N}\s_.,:;()=!&|"\\/-]$/u;

/** One character each that means nothing else between delimiters. Throws `invalid_argument`. */
export function checkedDelimiters(start: unknown, end: unknown): Delimiters {
  return { start: one('start', start, '}'), end: one('end', end, '{') };
}

function one(subject: 'start' | 'end', delimiter: unknown, brace: string): string {
  if (typeof delimiter !== 'string' || [...delimiter].length !== 1)
    throw invalidArgument(subject, 'must be one character');
  if (TAKEN.test(delimiter) || delimiter === brace) {
    throw invalidArgument(
      subject,
      'must not be a letter, a digit, white space, the other brace or one of _ - . , : ; ( ) = ! & | " \\ /, which stand inside placeholders',
    );
  }
  return delimiter;
}
