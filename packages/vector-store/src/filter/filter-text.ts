import type { ParserRuleContext, Token } from 'antlr4ng';
import { BaseErrorListener } from 'antlr4ng';
import type { FilterExpression } from './filter-expression.js';
import { FilterParseError } from './filter-parse-error.js';
import { filterTokens, placeOf } from './filter-tokens.js';
import type { FilterPlaceholders } from './filter-tree-builder.js';
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
  [FilterParser.LEFT_PARENTHESIS]: '(',
  [FilterParser.RIGHT_PARENTHESIS]: 'AND, OR or )',
  [FilterParser.LEFT_BRACKET]: '[',
  [FilterParser.RIGHT_BRACKET]: ']',
  [FilterParser.COMMA]: ',',
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
    const token = (offending ?? this.#parser.getCurrentToken()) as Token;
    const expected = this.#parser
      .getExpectedTokens()
      .toArray()
      .flatMap((type) => EXPECTED[type] ?? []);
    throw new FilterParseError(`${describeToken(token)}; expected ${expected.join(', ')}`, placeOf(token));
  }
}

export interface FilterTextOptions {
  readonly legacy: boolean;
  readonly maxDepth: number;
  /** Values of a tagged template. */
  readonly placeholders: FilterPlaceholders;
}

/** Text to a frozen tree, without cache. */
export function readFilterText(text: string, options: FilterTextOptions): FilterExpression {
  const { legacy, maxDepth, placeholders } = options;
  const parser = new FilterParser(filterTokens(text, { legacy, maxDepth, placeholders: placeholders.length }));
  parser.removeErrorListeners();
  parser.addErrorListener(new FirstFault(parser));
  const tree: ParserRuleContext = legacy ? parser.legacyFilter().legacyExpression() : parser.filter().expression();
  return new FilterTreeBuilder(placeholders).build(tree);
}
