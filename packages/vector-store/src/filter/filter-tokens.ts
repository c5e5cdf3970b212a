import { offendingCharacter } from './filter-key.js';
import type { FilterPlace } from './filter-parse-error.js';
import { FilterParseError } from './filter-parse-error.js';
import { holdsPlaceholder } from './filter-placeholder.js';
import { FilterScanner } from './filter-scanner.js';
import type { FilterToken } from './filter-token.js';
import { FilterParser } from './generated/FilterParser.js';

/** What to write in place of a character that begins nothing. */
const INSTEAD: Readonly<Record<string, string>> = {
  '=': "compare with '=='",
  '!': "write 'NOT', or '!='",
  '&': "write '&&' or 'AND'",
  '|': "write '||' or 'OR'",
  ';': 'a filter is one expression',
};

function refuseCharacter(character: string, place: FilterPlace): never {
  const advice = INSTEAD[character] ?? 'put the key or the text value that holds it in quotes';
  throw new FilterParseError(`${JSON.stringify(character)} has no meaning in a filter: ${advice}`, place);
}

function checkToken(token: FilterToken, placeholders: number): void {
  switch (token.type) {
    case FilterParser.UNEXPECTED:
      refuseCharacter(token.text, token.place);
      break;
    case FilterParser.UNTERMINATED:
      throw new FilterParseError(
        'A quote is opened and never closed: close it, or write \\ before a quote inside',
        token.place,
      );
    case FilterParser.NAME: {
      const found = offendingCharacter(token.text);
      if (found !== undefined) {
        const { line, column } = token.place;
        refuseCharacter(found.character, { line, column: column + found.index });
      }
      return;
    }
    case FilterParser.PLACEHOLDER:
      if (placeholders === 0) refuseCharacter(token.text, token.place);
      return;
    case FilterParser.STRING:
      if (placeholders > 0 && holdsPlaceholder(token.text)) {
        throw new FilterParseError(
          'A value of a tagged template stands inside quotes: take the quotes away',
          token.place,
        );
      }
      return;
    default:
      return;
  }
}

/** Depth of parentheses and of NOT, which decides how deep everything that walks the tree has to go. */
function checkDepth(tokens: readonly FilterToken[], legacy: boolean, maxDepth: number): void {
  const outer: number[] = [];
  let depth = 0;
  let nots = 0;
  for (const [index, token] of tokens.entries()) {
    switch (token.type) {
      case FilterParser.LEFT_PARENTHESIS:
        outer.push(nots);
        depth += nots + 1;
        nots = 0;
        break;
      case FilterParser.RIGHT_PARENTHESIS: {
        nots = outer.pop() ?? 0;
        depth = Math.max(0, depth - nots - 1);
        break;
      }
      case FilterParser.NOT:
        // The NOT of NOT IN nests nothing.
        if (tokens[index + 1]?.type !== FilterParser.IN) nots++;
        break;
      case FilterParser.AND:
      case FilterParser.OR:
        if (!legacy) nots = 0;
        break;
      default:
        break;
    }
    if (depth + nots > maxDepth) {
      throw new FilterParseError(
        `The filter is nested deeper than ${maxDepth} levels: use IN for lists of values, or raise 'maxDepth'`,
        token.place,
      );
    }
  }
}

/** The tokens of a filter. Every character belongs to one, or a `FilterParseError` names the first that does not. */
export function filterTokens(
  text: string,
  options: { readonly legacy: boolean; readonly maxDepth: number; readonly placeholders: number },
): readonly FilterToken[] {
  const scanner = new FilterScanner(text);
  const tokens = scanner.scan();
  // A value of a template may also stand where none may, inside quotes.
  if (!scanner.plain || options.placeholders > 0) for (const token of tokens) checkToken(token, options.placeholders);
  if (scanner.nests) checkDepth(tokens, options.legacy, options.maxDepth);
  return tokens;
}
