import type { Token } from 'antlr4ng';
import { BailErrorStrategy, BaseErrorListener, ParseCancellationException } from 'antlr4ng';
import type { FilterExpression } from './filter-expression.js';
import { FilterParseError } from './filter-parse-error.js';
import type { FilterToken } from './filter-token.js';
import { FilterTokenStream } from './filter-token-stream.js';
import { filterTokens } from './filter-tokens.js';
import type { FilterContent, FilterPlaceholders } from './filter-tree-builder.js';
import { FilterTreeBuilder } from './filter-tree-builder.js';
import { FilterParser } from './generated/FilterParser.js';

/** What a token is called in a message. Names, numbers and texts may be values, which errors never quote. */
function describeToken(token: Token): string {
  switch (token.type) {
    case FilterParser.EOF:
      return 'The filter ends too early';
    case FilterParser.NAME:
      return 'A name cannot stand here (text values need quotes)';
    case FilterParser.NUMBER:
      return 'A number cannot stand here';
    case FilterParser.STRING:
      return 'A quoted text cannot stand here';
    case FilterParser.PLACEHOLDER:
      return 'A value of the tagged template cannot stand here (it stands for a value or a list, never for a key or for text)';
    default:
      return `'${token.text ?? ''}' cannot stand here`;
  }
}

const EXPECTED: Readonly<Record<number, string>> = {
  // Seen only where a whole expression stands, so that it may go on as well.
  [FilterParser.EOF]: 'AND, OR or the end',
  [FilterParser.NOT]: 'NOT',
  [FilterParser.IN]: 'IN',
  [FilterParser.NIN]: 'NIN',
  [FilterParser.IS]: 'IS NULL',
  [FilterParser.NULL]: 'null',
  [FilterParser.TRUE]: 'true',
  [FilterParser.FALSE]: 'false',
  [FilterParser.EQ]: 'a comparison (== != > >= < <=)',
  [FilterParser.LEFT_PARENTHESIS]: "'('",
  [FilterParser.RIGHT_PARENTHESIS]: "AND, OR or ')'",
  [FilterParser.LEFT_BRACKET]: "'['",
  [FilterParser.RIGHT_BRACKET]: "']'",
  [FilterParser.COMMA]: 'a comma',
  [FilterParser.NUMBER]: 'a number',
  [FilterParser.NAME]: 'a key',
  [FilterParser.STRING]: 'a quoted text',
};

/** The first fault ends the parse: what a parser guesses behind it helps nobody. */
class FirstFault extends BaseErrorListener {
  readonly #parser: FilterParser;

  constructor(parser: FilterParser) {
    super();
    this.#parser = parser;
  }

  override syntaxError(_recognizer: unknown, offending: unknown): void {
    const token = (offending ?? this.#parser.getCurrentToken()) as FilterToken;
    const expected = this.#parser
      .getExpectedTokens()
      .toArray()
      .flatMap((type) => EXPECTED[type] ?? []);
    throw new FilterParseError(`${describeToken(token)}; expected ${expected.join(', ')}`, token.place);
  }
}

export interface FilterTextOptions {
  readonly legacy: boolean;
  readonly maxDepth: number;
  /** Values of a tagged template. */
  readonly placeholders: FilterPlaceholders;
}

/** Looks for no fault before a token does not fit, which halves the time: most filters have none. */
class Unsuspecting extends BailErrorStrategy {
  override reportMatch(): void {}
}

function newParser(tokens: readonly FilterToken[]): FilterParser {
  const parser = new FilterParser(new FilterTokenStream(tokens));
  // The labels of the grammar are enough.
  parser.buildParseTrees = false;
  parser.removeErrorListeners();
  return parser;
}

/** Making a parser takes as long as reading a short filter. One serves all: it never waits. */
let reader: FilterParser | undefined;

function readerOf(tokens: readonly FilterToken[]): FilterParser {
  if (reader === undefined) {
    reader = newParser(tokens);
    reader.errorHandler = new Unsuspecting();
  } else {
    reader.tokenStream = new FilterTokenStream(tokens);
  }
  return reader;
}

function contentOf(parser: FilterParser, legacy: boolean): FilterContent | undefined {
  return legacy ? parser.legacyFilter()._content : parser.filter()._content;
}

/** What the grammar finds; undefined when something does not fit. */
function content(tokens: readonly FilterToken[], legacy: boolean): FilterContent | undefined {
  try {
    return contentOf(readerOf(tokens), legacy);
  } catch (error) {
    reader = undefined;
    if (error instanceof ParseCancellationException) return undefined;
    throw error;
  }
}

/** Parses again, looking closely. */
function refuse(tokens: readonly FilterToken[], legacy: boolean): never {
  const parser = newParser(tokens);
  parser.addErrorListener(new FirstFault(parser));
  contentOf(parser, legacy);
  throw new TypeError('A filter was refused, and then it was not');
}

/** Text to a frozen tree, without cache. */
export function readFilterText(text: string, options: FilterTextOptions): FilterExpression {
  const { legacy, maxDepth, placeholders } = options;
  const tokens = filterTokens(text, { legacy, maxDepth, placeholders: placeholders.length });
  return new FilterTreeBuilder(placeholders).build(content(tokens, legacy) ?? refuse(tokens, legacy));
}
