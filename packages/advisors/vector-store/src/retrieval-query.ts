import type { ChatClientRequest } from '@vernal/client-chat';
import type { Query } from '@vernal/rag';
import { query, VECTOR_STORE_FILTER_EXPRESSION } from '@vernal/rag';

/**
 * A text to search with, for filters that are asked what the request says. The filter that a request has for other retrievers is not in its
 * context: there it would take the place of a filter here.
 */
export function retrievalQuery(text: string, { context }: ChatClientRequest): Query {
  const { [VECTOR_STORE_FILTER_EXPRESSION]: _, ...own } = context;
  return query(text, { context: own });
}
