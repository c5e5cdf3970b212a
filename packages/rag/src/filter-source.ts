import type { CallContext } from '@vernal/core';
import { untilAborted, VernalError } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { parseFilter, validateFilter } from '@vernal/vector-store';
import type { Awaitable } from './parts.js';
import type { Query } from './query.js';

/**
 * A filter: text, a tree, or a function that is asked once a query, for what only the request knows.
 *
 * @example
 * const ofTenant: FilterSource = ({ context }) => filter.eq('tenant', tenantOf(context));
 */
export type FilterSource =
  | string
  | FilterExpression
  | ((query: Query, context?: CallContext) => Awaitable<string | FilterExpression | undefined>);

/** A source whose text is parsed and whose tree is checked; a function's answer is, when it comes. */
export type CheckedFilterSource = (
  query: Query,
  context: CallContext | undefined,
) => Awaitable<FilterExpression | undefined>;

/** @throws VernalError `filter_parse` for text that is no filter, a blank one too; `filter_invalid` for a tree that is none */
export function filterTree(given: string | FilterExpression): FilterExpression {
  return typeof given === 'string' ? parseFilter(given) : validateFilter(given);
}

/** Text and trees are checked now. */
export function checkedFilterSource(source: FilterSource): CheckedFilterSource {
  if (typeof source !== 'function') {
    const tree = filterTree(source);
    return () => tree;
  }
  return async (query, context) => {
    const given = await untilAborted(Promise.resolve(source(query, context)), context?.signal);
    return given === undefined || given === null ? undefined : filterTree(given);
  };
}

/** A source that must give a filter: none at all would open what it is there to close. */
export function requiredFilterSource(source: FilterSource): CheckedFilterSource {
  const checked = checkedFilterSource(source);
  return async (query, context) => {
    const tree = await checked(query, context);
    if (tree !== undefined) return tree;
    throw new VernalError(
      'requiredFilter gave no filter, and without one every document could be found: return a filter for each query, or throw',
      { code: 'filter_invalid', subject: 'requiredFilter' },
    );
  };
}
