import type { FilterSource } from '@vernal/rag';
import type { FilterExpression } from '@vernal/vector-store';
import { filter, parseFilter, validateFilter } from '@vernal/vector-store';

/** @throws VernalError `filter_parse` for text that is no filter, `filter_invalid` for a tree that is none */
export function filterTree(given: string | FilterExpression): FilterExpression {
  return typeof given === 'string' ? parseFilter(given) : validateFilter(given);
}

/** With text parsed once, and not for each question. */
export function parsedSource(source: FilterSource | undefined): FilterSource | undefined {
  return source === undefined || typeof source === 'function' ? source : filterTree(source);
}

/** What all of them let through; undefined when there is none. */
export function allOf(...trees: readonly (FilterExpression | undefined)[]): FilterExpression | undefined {
  return trees.reduce((joined, tree) =>
    joined === undefined || tree === undefined ? (joined ?? tree) : filter.and(joined, tree),
  );
}
