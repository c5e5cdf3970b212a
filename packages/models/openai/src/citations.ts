import { isRecord, type JsonRecord } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { textOf } from './answer-reading.js';

/** Where a statement of an answer comes from, in the shape that all providers share. */
interface Citation {
  /** 'url_citation', or 'search_result' for what the answer as a whole was made from. */
  readonly type: string;
  readonly title?: string;
  readonly url?: string;
  /** Where the statement begins in the text of the answer. */
  readonly start?: number;
  /** Where it ends. */
  readonly end?: number;
}

/** The citations among annotations. Source: https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat, the part on citations. */
export function citationsOf(annotations: readonly unknown[]): readonly Citation[] {
  return annotations.flatMap((annotation): Citation[] => {
    if (!isRecord(annotation) || !isRecord(annotation['url_citation'])) return [];
    const cited = annotation['url_citation'];
    const title = textOf(cited['title']);
    const url = textOf(cited['url']);
    const start = reportedCount(cited['start_index']);
    const end = reportedCount(cited['end_index']);
    return [
      {
        type: textOf(annotation['type']) ?? 'url_citation',
        ...(title === undefined ? {} : { title }),
        ...(url === undefined ? {} : { url }),
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
      },
    ];
  });
}

/** What Perplexity found for an answer; its text refers to them as [1], [2]. Source: https://docs.perplexity.ai/api-reference/chat-completions-post */
export function searchCitations(source: JsonRecord): readonly Citation[] | undefined {
  const { search_results: results, citations } = source;
  const found = Array.isArray(results) ? results : citations;
  if (!Array.isArray(found)) return undefined;
  return found.flatMap((one: unknown): Citation[] => {
    const url = textOf(isRecord(one) ? one['url'] : one);
    if (url === undefined) return [];
    const title = isRecord(one) ? textOf(one['title']) : undefined;
    return [{ type: 'search_result', ...(title === undefined ? {} : { title }), url }];
  });
}
