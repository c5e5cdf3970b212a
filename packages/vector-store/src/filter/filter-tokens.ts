import type { Token } from 'antlr4ng';
import { CharStream, CommonTokenStream } from 'antlr4ng';
import { offendingCharacter } from './filter-key.js';
import type { FilterPlace } from './filter-parse-error.js';
import { FilterParseError } from './filter-parse-error.js';
import { holdsPlaceholder } from './filter-placeholder.js';
import { FilterLexer } from './generated/FilterLexer.js';

/** What to write in place of a character that begins nothing. */
const INSTEAD: Readonly<Record<string, string>> = {
  '=': "compare with '=='",
  '!': "write 'NOT', or '!='",
  '&': "write '&&' or 'AND'",
  '|': "write '||' or 'OR'",
  ';': 'a filter is one expression',
};

export function placeOf(token: Token): FilterPlace {
  return { line: token.line, column: token.column + 1 };
}

function refuseCharacter(character: string, place: FilterPlace): never {
  const advice = INSTEAD[character] ?? 'put the key or the text value that holds it in quotes';
  throw new FilterParseError(`${JSON.stringify(character)} has no meaning in a filter: ${advice}`, place);
}

function checkToken(token: Token, placeholders: number): void {
  const text = token.text ?? '';
  const place = placeOf(token);
  switch (token.type) {
    case FilterLexer.UNEXPECTED:
      refuseCharacter(text, place);
      break;
    case FilterLexer.UNTERMINATED:
      throw new FilterParseError(
        'A quote is opened and never closed: close it, or write \\ before a quote inside',
        place,
      );
    case FilterLexer.NAME: {
      const found = offendingCharacter(text);
      if (found !== undefined) {
        refuseCharacter(found.character, { line: place.line, column: place.column + found.index });
      }
      return;
    }
    case FilterLexer.PLACEHOLDER:
      if (placeholders === 0) refuseCharacter(text, place);
      return;
    case FilterLexer.STRING:
      if (placeholders > 0 && holdsPlaceholder(text)) {
        throw new FilterParseError('A value of a tagged template stands inside quotes: take the quotes away', place);
      }
      return;
    default:
      return;
  }
}

/** Depth of parentheses and of NOT, which decides how deep everything that walks the tree has to go. */
function checkDepth(tokens: readonly Token[], legacy: boolean, maxDepth: number): void {
  const outer: number[] = [];
  let depth = 0;
  let nots = 0;
  for (const [index, token] of tokens.entries()) {
    switch (token.type) {
      case FilterLexer.LEFT_PARENTHESIS:
        outer.push(nots);
        depth += nots + 1;
        nots = 0;
        break;
      case FilterLexer.RIGHT_PARENTHESIS: {
        nots = outer.pop() ?? 0;
        depth = Math.max(0, depth - nots - 1);
        break;
      }
      case FilterLexer.NOT:
        // The NOT of NOT IN nests nothing.
        if (tokens[index + 1]?.type !== FilterLexer.IN) nots++;
        break;
      case FilterLexer.AND:
      case FilterLexer.OR:
        if (!legacy) nots = 0;
        break;
      default:
        break;
    }
    if (depth + nots > maxDepth) {
      throw new FilterParseError(
        `The filter is nested deeper than ${maxDepth} levels: use IN for lists of values, or raise 'maxDepth'`,
        placeOf(token),
      );
    }
  }
}

/** The tokens of a filter. Every character belongs to one, or a `FilterParseError` names the first that does not. */
export function filterTokens(
  text: string,
  options: { readonly legacy: boolean; readonly maxDepth: number; readonly placeholders: number },
): CommonTokenStream {
  const lexer = new FilterLexer(CharStream.fromString(text));
  lexer.removeErrorListeners();
  const stream = new CommonTokenStream(lexer);
  stream.fill();
  const tokens = stream.getTokens();
  for (const token of tokens) checkToken(token, options.placeholders);
  checkDepth(tokens, options.legacy, options.maxDepth);
  return stream;
}
