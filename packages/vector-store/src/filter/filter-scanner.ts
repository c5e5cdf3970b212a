import { FilterToken } from './filter-token.js';
import { FilterParser } from './generated/FilterParser.js';

const KEYWORDS: ReadonlyMap<string, number> = new Map([
  ['and', FilterParser.AND],
  ['or', FilterParser.OR],
  ['not', FilterParser.NOT],
  ['in', FilterParser.IN],
  ['nin', FilterParser.NIN],
  ['is', FilterParser.IS],
  ['null', FilterParser.NULL],
  ['true', FilterParser.TRUE],
  ['false', FilterParser.FALSE],
]);
const LONGEST_KEYWORD = 5;

/** What a symbol is alone, and what it is when it is followed by the second; 0 where that is no token. */
const SYMBOLS: readonly (readonly [symbol: string, alone: number, second?: string, both?: number])[] = [
  ['=', 0, '=', FilterParser.EQ],
  ['!', 0, '=', FilterParser.NE],
  ['>', FilterParser.GT, '=', FilterParser.GTE],
  ['<', FilterParser.LT, '=', FilterParser.LTE],
  ['&', 0, '&', FilterParser.AND],
  ['|', 0, '|', FilterParser.OR],
  ['(', FilterParser.LEFT_PARENTHESIS],
  [')', FilterParser.RIGHT_PARENTHESIS],
  ['[', FilterParser.LEFT_BRACKET],
  [']', FilterParser.RIGHT_BRACKET],
  [',', FilterParser.COMMA],
  ['+', FilterParser.PLUS],
  ['-', FilterParser.MINUS],
];
const ALONE: Uint8Array = new Uint8Array(128);
const SECOND: Uint8Array = new Uint8Array(128);
const BOTH: Uint8Array = new Uint8Array(128);
for (const [symbol, alone, second = '\0', both = 0] of SYMBOLS) {
  const code = symbol.charCodeAt(0);
  ALONE[code] = alone;
  SECOND[code] = second.charCodeAt(0);
  BOTH[code] = both;
}

const BACKSLASH = 0x5c;
const DOT = 0x2e;
const FIRST_PLACEHOLDER = 0x100000;
const LAST_PLACEHOLDER = 0x10fffd;

/** What an ASCII character begins. All others begin a name, but for those that stand for values. */
const SYMBOL = 0;
const SPACE = 1;
const DIGIT = 2;
const LETTER = 3;
const QUOTE = 4;
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[ \t\r\n]/.test(character)) return SPACE;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-zA-Z_]/.test(character)) return LETTER;
  return /['"]/.test(character) ? QUOTE : SYMBOL;
});

function isDigit(code: number): boolean {
  return KINDS[code] === DIGIT;
}

/**
 * The lexer of Filter.g4, by hand: several times as quick as the one that is generated from it, which it is tested against. Total like
 * that one: what belongs to no token is UNTERMINATED or UNEXPECTED.
 */
export class FilterScanner {
  readonly #text: string;
  readonly #tokens: FilterToken[] = [];
  /** False when a token may have to be refused: one that is no token, a value of a template, letters beyond ASCII. */
  plain = true;
  /** True when a token may nest an expression in another. */
  nests = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** All tokens, the last of which is EOF. */
  scan(): FilterToken[] {
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      switch (code < 128 ? KINDS[code] : LETTER) {
        case SPACE:
          at++;
          break;
        case LETTER:
          at = this.#name(at, code);
          break;
        case QUOTE:
          at = this.#string(at, code);
          break;
        case DIGIT:
          at = this.#number(at);
          break;
        default:
          at = code === DOT && isDigit(text.charCodeAt(at + 1)) ? this.#number(at) : this.#symbol(at, code);
      }
    }
    this.#add(FilterParser.EOF, at, at);
    return this.#tokens;
  }

  #symbol(at: number, code: number): number {
    const both = BOTH[code] ?? 0;
    if (both !== 0 && this.#text.charCodeAt(at + 1) === SECOND[code]) return this.#add(both, at, at + 2);
    const alone = ALONE[code] ?? 0;
    if (alone === FilterParser.LEFT_PARENTHESIS) this.nests = true;
    if (alone !== 0) return this.#add(alone, at, at + 1);
    this.plain = false;
    return this.#add(FilterParser.UNEXPECTED, at, at + 1);
  }

  /** A name with the dots between its parts, a keyword, or the character that stands for a value of a template. */
  #name(start: number, first: number): number {
    const text = this.#text;
    if (first >= 128) {
      const point = text.codePointAt(start) ?? first;
      if (point >= FIRST_PLACEHOLDER) {
        this.plain = false;
        const type = point <= LAST_PLACEHOLDER ? FilterParser.PLACEHOLDER : FilterParser.UNEXPECTED;
        return this.#add(type, start, start + 2);
      }
    }
    let at = this.#namePart(start);
    while (text.charCodeAt(at) === DOT && this.#beginsName(at + 1)) at = this.#namePart(at + 1);
    const keyword = at - start <= LONGEST_KEYWORD ? this.#keyword(start, at) : undefined;
    if (keyword === FilterParser.NOT) this.nests = true;
    return this.#add(keyword ?? FilterParser.NAME, start, at);
  }

  #keyword(start: number, end: number): number | undefined {
    const word = this.#text.slice(start, end).toLowerCase();
    // The Kelvin sign and its like become letters of a keyword only by the change of case.
    return word.length === end - start && /^[a-z]+$/i.test(this.#text.slice(start, end))
      ? KEYWORDS.get(word)
      : undefined;
  }

  #beginsName(at: number): boolean {
    return at < this.#text.length && this.#isPartOfName(at) && !isDigit(this.#text.charCodeAt(at));
  }

  #namePart(start: number): number {
    let at = start;
    while (at < this.#text.length && this.#isPartOfName(at)) at++;
    return at;
  }

  #isPartOfName(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    if (code < 128) return KINDS[code] === LETTER || KINDS[code] === DIGIT;
    this.plain = false;
    // A half of a pair is looked at with the other, so that a name ends before a character that stands for a value.
    return (this.#text.codePointAt(at) ?? code) < FIRST_PLACEHOLDER;
  }

  #digits(start: number): number {
    let at = start;
    while (isDigit(this.#text.charCodeAt(at))) at++;
    return at;
  }

  #number(start: number): number {
    const text = this.#text;
    const whole = this.#digits(start);
    const next = text.charAt(whole);
    if (whole > start && (next === 'l' || next === 'L')) return this.#add(FilterParser.NUMBER, start, whole + 1);
    const mantissa = next === '.' ? this.#digits(whole + 1) : whole;
    return this.#add(FilterParser.NUMBER, start, this.#exponent(mantissa));
  }

  /** Where the exponent ends that may begin here. */
  #exponent(start: number): number {
    const text = this.#text;
    const mark = text.charAt(start);
    if (mark !== 'e' && mark !== 'E') return start;
    const sign = text.charAt(start + 1);
    const digits = sign === '+' || sign === '-' ? start + 2 : start + 1;
    return isDigit(text.charCodeAt(digits)) ? this.#digits(digits) : start;
  }

  #string(start: number, quote: number): number {
    const text = this.#text;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) return this.#add(FilterParser.STRING, start, at + 1);
      if (code === BACKSLASH) at++;
    }
    this.plain = false;
    return this.#add(FilterParser.UNTERMINATED, start, text.length);
  }

  /** Gives where the token ends. */
  #add(type: number, start: number, end: number): number {
    this.#tokens.push(new FilterToken(this.#text, type, start, end, this.#tokens.length));
    return end;
  }
}
