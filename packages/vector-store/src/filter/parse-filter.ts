import { invalidArgument } from '@vernal/core';
import type { FilterExpression } from './filter-expression.js';
import { FilterParseError } from './filter-parse-error.js';
import { readFilterText } from './filter-text.js';
import { RecentMap } from './recent-map.js';

/** How NOT binds, and limits for text from outside. */
export interface ParseFilterOptions {
  /** NOT as the loosest operator, as Spring AI parses it. Default false: NOT > AND > OR. */
  readonly legacyPrecedence?: boolean | undefined;
  /** Levels of parentheses and NOT. 1 to 1,000; default 100. */
  readonly maxDepth?: number | undefined;
  /** Characters (UTF-16 code units). Default 65,536. */
  readonly maxLength?: number | undefined;
}

export const DEFAULT_FILTER_DEPTH = 100;
const LARGEST_DEPTH = 1_000;
const DEFAULT_LENGTH = 65_536;
/** Together the most that the cache holds on to: 256 texts of 1,024 characters. Longer ones are parsed each time. */
const CACHED_FILTERS = 256;
const CACHED_LENGTH = 1_024;

const standard = new RecentMap<string, FilterExpression>(CACHED_FILTERS);
const legacy = new RecentMap<string, FilterExpression>(CACHED_FILTERS);

export function checkFilterLength(text: string, maxLength: number = DEFAULT_LENGTH): void {
  if (text.trim() === '') {
    throw new FilterParseError("The filter is blank: leave it out, or write a comparison such as country == 'NL'", {
      line: 1,
      column: 1,
    });
  }
  if (text.length > maxLength) {
    throw new FilterParseError(`The filter is longer than ${maxLength} characters: shorten it, or raise 'maxLength'`, {
      line: 1,
      column: 1,
    });
  }
}

function limit(name: string, value: number | undefined, fallback: number, largest: number): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= 1 && value <= largest) return value;
  throw invalidArgument(name, `must be a whole number from 1 to ${largest}`);
}

/**
 * Text to a filter tree: `country == 'BG' AND year >= 2020`.
 *
 * - Comparisons `== != > >= < <=`, `IN [..]`, `NIN [..]`, `NOT IN [..]`, `IS NULL`, `IS NOT NULL`; `AND` or `&&`, `OR` or `||`, `NOT`,
 *   parentheses. Keywords in any case. NOT binds tighter than AND, AND tighter than OR.
 * - Keys are names of any script with dots between them (`author.name`), or anything in quotes.
 * - Values are texts in either quotes with the escapes of JSON, numbers, true, false, null. Dates are ISO-8601 text. Whole numbers beyond
 *   2^53 - 1 are refused, not rounded. A list may be empty.
 *
 * Results are frozen and shared: the last 256 texts are remembered.
 *
 * @throws VernalError `filter_parse` (a `FilterParseError`) with line and column
 * @example
 * ```ts
 * parseFilter("country IN ['BG', 'NL'] AND NOT (year < 2020)");
 * ```
 * Source: Spring AI `FilterExpressionTextParser`, `Filters.g4`.
 */
export function parseFilter(text: string, options?: ParseFilterOptions): FilterExpression {
  if (typeof text !== 'string') {
    throw invalidArgument('text', 'must be text; hand a tree to validateFilter');
  }
  const maxDepth = limit('maxDepth', options?.maxDepth, DEFAULT_FILTER_DEPTH, LARGEST_DEPTH);
  const maxLength = limit('maxLength', options?.maxLength, DEFAULT_LENGTH, Number.MAX_SAFE_INTEGER);
  checkFilterLength(text, maxLength);
  const cached = options?.legacyPrecedence === true ? legacy : standard;
  // A tree that was read under a wider limit must not slip past a narrower one.
  const cacheable = maxDepth === DEFAULT_FILTER_DEPTH && text.length <= CACHED_LENGTH;
  const known = cacheable ? cached.get(text) : undefined;
  if (known !== undefined) return known;
  const tree = readFilterText(text, { legacy: cached === legacy, maxDepth, placeholders: [] });
  if (cacheable) cached.set(text, tree);
  return tree;
}
