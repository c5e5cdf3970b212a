import type { FilterPlace } from './filter-parse-error.js';
import { FilterParseError } from './filter-parse-error.js';

/** Counting where a token stands takes time, so it is done for errors only. */
interface Placed {
  readonly place: FilterPlace;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gsu;

/** The place of the character at `offset` of a token that begins at `start`. */
function placeInside(token: string, offset: number, start: FilterPlace): FilterPlace {
  const lines = token.slice(0, offset).split('\n');
  const last = Array.from(lines.at(-1) ?? '').length;
  return lines.length === 1
    ? { line: start.line, column: start.column + last }
    : { line: start.line + lines.length - 1, column: last + 1 };
}

/** The text between the quotes, escapes undone. */
export function readString(token: string, at: Placed): string {
  const inner = token.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  return inner.replace(ESCAPE, (_match, hex: string | undefined, single: string | undefined, offset: number) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const character = ESCAPES[single ?? ''];
    if (character !== undefined) return character;
    throw new FilterParseError(
      'A \\ must be followed by one of \\ \' " / b f n r t or by u and four hexadecimal digits: write \\\\ for a \\',
      placeInside(token, offset + 1, at.place),
    );
  });
}

/** Whole numbers are exact or refused; what has a point or an exponent is rounded to the nearest double, as in JSON. */
export function readNumber(token: string, negative: boolean, at: Placed): number {
  const digits = /[lL]$/.test(token) ? token.slice(0, -1) : token;
  const value = Number(digits);
  if (!Number.isFinite(value)) {
    throw new FilterParseError('The number is too large: the largest is about 1.8e308', at.place);
  }
  if (!Number.isSafeInteger(value) && /^\d+$/.test(digits)) {
    throw new FilterParseError(
      'The whole number is beyond 2^53 - 1 and would be rounded: store such numbers as text and compare with a quoted text',
      at.place,
    );
  }
  // Not -0: it is equal to 0 everywhere, and JSON does not keep it.
  return negative && value !== 0 ? -value : value;
}

/** A text in single quotes that reads back as itself, whatever it holds. */
export function printString(text: string): string {
  let printed = "'";
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const character = text.charAt(i);
    if (character === "'" || character === '\\') printed += `\\${character}`;
    else if (character === '\n') printed += '\\n';
    else if (character === '\r') printed += '\\r';
    else if (character === '\t') printed += '\\t';
    // Control characters, line separators and half surrogate pairs do not survive every channel.
    else if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0) || unit === 0x2028 || unit === 0x2029 || isLone(text, i)) {
      printed += `\\u${unit.toString(16).padStart(4, '0')}`;
    } else printed += character;
  }
  return `${printed}'`;
}

function isLone(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) return false;
  if (unit < 0xdc00) {
    const next = text.charCodeAt(index + 1);
    return !(next >= 0xdc00 && next <= 0xdfff);
  }
  const previous = text.charCodeAt(index - 1);
  return !(previous >= 0xd800 && previous <= 0xdbff);
}

/** A number that reads back as itself: what `readNumber` would refuse as a whole number gets an exponent. */
export function printNumber(value: number): string {
  if (value === 0) return '0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}
