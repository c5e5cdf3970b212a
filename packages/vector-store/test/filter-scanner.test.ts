import { CharStream, Token } from 'antlr4ng';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FilterScanner } from '../src/filter/filter-scanner.js';
import { FilterLexer } from './generated/FilterLexer.js';

interface Seen {
  readonly type: number;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

function byGrammar(text: string): Seen[] {
  const lexer = new FilterLexer(CharStream.fromString(text));
  const seen: Seen[] = [];
  for (;;) {
    const { type, text: token = '', line, column } = lexer.nextToken();
    if (type === Token.EOF) return seen;
    seen.push({ type, text: token, line, column });
  }
}

function byHand(text: string): Seen[] {
  const tokens = new FilterScanner(text).scan();
  expect(tokens.at(-1)?.type).toBe(Token.EOF);
  return tokens.slice(0, -1).map(({ type, text: token, line, column }) => ({ type, text: token, line, column }));
}

const pieces = fc.constantFrom(
  ...[
    'a',
    'b.c',
    'a.',
    '.a',
    '_x1',
    'größe',
    '名前',
    'ı',
    '\u212a',
    'and',
    'AND.x',
    'oR',
    'Not',
    'IN',
    'nin',
    'is',
    'null',
    'tRue',
    'false',
  ],
  ...[
    '0',
    '12.',
    '.5',
    '1.5e3',
    '1e+',
    '2E-7',
    '5L',
    '5lx',
    '1..2',
    '==',
    '=',
    '!=',
    '!',
    '>=',
    '>',
    '<=',
    '<',
    '&&',
    '&',
    '||',
    '|',
  ],
  ...[
    '+',
    '-',
    '(',
    ')',
    '[',
    ']',
    ',',
    ';',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u000b',
    '\f',
    '\u00a0',
    "'q'",
    '"x y"',
    "'it\\'s'",
    "'",
    '"',
    '\\',
  ],
  ...['😀', '\u{fffff}', '\u{100000}', '\u{10fffd}', '\u{10ffff}', '\u0000', '\u007f', '\u0080'],
);

it('scans every text into the tokens of the grammar', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
        fc.string({ unit: 'grapheme' }),
      ),
      (text) => {
        expect(byHand(text)).toEqual(byGrammar(text));
      },
    ),
    { numRuns: 2_000 },
  );
});
