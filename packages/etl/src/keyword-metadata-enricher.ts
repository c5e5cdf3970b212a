import type { CallContext, Document, Documents, DocumentTransformer } from '@vernal/core';
import { invalidArgument, PromptTemplate, withDocument } from '@vernal/core';
import { concurrentMap } from './concurrent-map.js';
import { EnricherCalls, type EnricherOptions } from './enricher.js';

/** The list of keywords a document gets. */
const EXCERPT_KEYWORDS = 'excerpt_keywords';

const KEYWORDS_TEMPLATE = `{context_str}

Give {keyword_count} unique keywords for the document above, separated by commas, and nothing else. Keywords:`;

/**
 * Adds `excerpt_keywords`, a list of keywords that a model finds in the text: filters such as `excerpt_keywords == 'roses'` match when
 * one of them does. A document without text, or an answer without keywords, leaves it out.
 *
 * Source: Spring AI's `KeywordMetadataEnricher`, which stores the answer as one text.
 *
 * @throws VernalError `invalid_argument` for a keywordCount below 1, `template` for a template without `{context_str}`; what the model throws
 *
 * @example
 * const enriched = new KeywordMetadataEnricher({ model, keywordCount: 5 }).transform(documents);
 */
export class KeywordMetadataEnricher implements DocumentTransformer {
  readonly #calls: EnricherCalls;
  readonly #keywordCount: number;

  /** `keywordCount` fills `{keyword_count}` and is the most that is kept. */
  constructor(options: EnricherOptions & { readonly keywordCount: number }) {
    const { keywordCount, promptTemplate = new PromptTemplate(KEYWORDS_TEMPLATE) } = options;
    this.#calls = new EnricherCalls(options, promptTemplate.with({ keyword_count: keywordCount }), ['context_str']);
    if (!Number.isInteger(keywordCount) || keywordCount < 1)
      throw invalidArgument('keywordCount', 'must be a whole number, at least 1');
    this.#keywordCount = keywordCount;
  }

  transform(documents: Documents, options?: CallContext): AsyncIterable<Document> {
    const enrich = async (document: Document, signal: AbortSignal): Promise<Document> => {
      const answer = await this.#calls.ask(document, { context_str: document.text ?? '' }, { ...options, signal });
      const keywords = keywordsOf(answer).slice(0, this.#keywordCount);
      return keywords.length === 0 ? document : withDocument(document, { metadata: { [EXCERPT_KEYWORDS]: keywords } });
    };
    return concurrentMap(documents, this.#calls.concurrency, enrich, options?.signal);
  }
}

/** Commas or lines separate; list marks, numbers, quotes and a leading 'Keywords:' are left out. */
function keywordsOf(answer: string): string[] {
  const words = answer
    .replace(/^\s*keywords\s*:/i, '')
    .split(/[,，、;；\n]/)
    .map((word) => word.replace(/^[\s*•-]*(?:\d+[.)]\s+)?["'“”‘’]*|["'“”‘’.。\s]*$/g, ''));
  return [...new Set(words)].filter((word) => word !== '');
}
