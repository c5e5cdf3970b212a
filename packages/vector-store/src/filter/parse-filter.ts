import type { FilterExpression } from './filter-expression.js';

export interface ParseFilterOptions {
  /** NOT as the loosest operator, as Spring AI parses it. Default false: NOT > AND > OR. */
  readonly legacyPrecedence?: boolean | undefined;
  /** Default 100. */
  readonly maxDepth?: number | undefined;
  /** Characters. Default 65,536. */
  readonly maxLength?: number | undefined;
}

/** Throws `FilterParseError`. Results are cached (bounded) and frozen. */
export declare function parseFilter(text: string, options?: ParseFilterOptions): FilterExpression;
