import type { FilterExpression, SearchRequest, VectorStoreRetriever } from '@vernal/vector-store';
import { allOf, filterTree } from './filter-tree.js';

/**
 * The same store, of which only what `tree` lets through can be found: it is joined to the filter of every search by AND, right before the
 * store, so nothing that searches through this view can leave it out. `settings` hold where a search says nothing else.
 */
export function narrowedRetriever(
  vectorStore: VectorStoreRetriever,
  tree: FilterExpression | undefined,
  settings: Omit<SearchRequest, 'query' | 'vector' | 'filterExpression'> = {},
): VectorStoreRetriever {
  return {
    similaritySearch(request, context) {
      const { filterExpression, ...asked }: SearchRequest = typeof request === 'string' ? { query: request } : request;
      const joined = allOf(tree, filterExpression === undefined ? undefined : filterTree(filterExpression));
      return vectorStore.similaritySearch(
        { ...settings, ...asked, ...(joined !== undefined && { filterExpression: joined }) },
        context,
      );
    },
  };
}
