import type { CallContext } from '@vernal/core';
import { contextValue, invalidArgument } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import type { CheckedFilterSource, FilterSource } from './filter-source.js';
import { checkedFilterSource, filterTree, requiredFilterSource } from './filter-source.js';
import type { Query } from './query.js';
import { VECTOR_STORE_FILTER_EXPRESSION } from './rag-context-keys.js';

/** The two filters of a retriever. */
export interface RetrievalFilters {
  /** Replaced by `VECTOR_STORE_FILTER_EXPRESSION` of the request. A function may say undefined: none. */
  readonly filter?: FilterSource | undefined;
  /**
   * Joined with the other filter by AND, whatever the request says: for tenants and permissions. A function that gives none is an error
   * (`filter_invalid`), and nothing is searched.
   */
  readonly requiredFilter?: FilterSource | undefined;
}

/** What a query may find: the request's filter, else the retriever's, and always the required one. */
export class RetrievalFilter {
  readonly #own: CheckedFilterSource | undefined;
  readonly #required: CheckedFilterSource | undefined;

  /** @throws VernalError `filter_parse` and `filter_invalid` for filters that are none, `invalid_argument` for one under another name */
  constructor(filters: RetrievalFilters) {
    refuseOtherName(filters);
    const { filter: own, requiredFilter } = filters;
    this.#own = own === undefined ? undefined : checkedFilterSource(own);
    this.#required = requiredFilter === undefined ? undefined : requiredFilterSource(requiredFilter);
  }

  /** @throws VernalError `filter_parse` or `filter_invalid` for a filter of the request or of a function */
  async of(query: Query, context: CallContext | undefined): Promise<FilterExpression | undefined> {
    const required = await this.#required?.(query, context);
    const own = ofRequest(query) ?? (await this.#own?.(query, context));
    return required !== undefined && own !== undefined ? filter.and(required, own) : (required ?? own);
  }
}

/** It is called so in a search and in Spring AI; dropped in silence, it would leave the documents of every tenant open. */
function refuseOtherName(filters: object): void {
  if (!('filterExpression' in filters) || filters.filterExpression === undefined) return;
  throw invalidArgument('filterExpression', 'is no option of a retriever: say filter, or requiredFilter');
}

/** Blank text is no filter of its own. */
function ofRequest({ context }: Query): FilterExpression | undefined {
  const given = contextValue(context, VECTOR_STORE_FILTER_EXPRESSION);
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) return undefined;
  return filterTree(given);
}
