import type { AnswerBlock } from './anthropic-blocks.js';
import { isFields, textIfAny } from './json-fields.js';

/** A page that Anthropic's web search found: an entry of `webSearchResults` in the metadata of a generation. Source: `AnthropicWebSearchResult` of Spring AI. */
export interface AnthropicWebSearchResult {
  readonly title?: string;
  readonly url?: string;
  /** How old the page is, in the words of the search: 'April 30, 2025'. */
  readonly pageAge?: string;
}

/** What the searches of an answer found, in order. A search that failed found nothing. */
export function webSearchResultsOf(blocks: readonly AnswerBlock[]): AnthropicWebSearchResult[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'block' || block.block['type'] !== 'web_search_tool_result') return [];
    const { content } = block.block;
    return Array.isArray(content) ? content.filter(isFields).map(searchResult) : [];
  });
}

function searchResult(result: Readonly<Record<string, unknown>>): AnthropicWebSearchResult {
  const title = textIfAny(result['title']);
  const url = textIfAny(result['url']);
  const pageAge = textIfAny(result['page_age']);
  return {
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(pageAge === undefined ? {} : { pageAge }),
  };
}
