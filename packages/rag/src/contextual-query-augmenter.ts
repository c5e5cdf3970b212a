import type { Document } from '@vernal/core';
import { invalidArgument, PromptTemplate, requirePlaceholders } from '@vernal/core';
import {
  CITE,
  CITED_QUERY_TEMPLATE,
  CONTEXTUAL_QUERY_TEMPLATE,
  EMPTY_CONTEXT_TEMPLATE,
} from './contextual-query-templates.js';
import type { QueryAugmenter } from './parts.js';
import type { Query } from './query.js';
import { withQuery } from './query.js';
import { renderDocuments } from './render-documents.js';

/** How documents are put to the model. */
export interface ContextualQueryAugmenterOptions {
  /** Holds `{query}` and `{context}`. */
  readonly promptTemplate?: PromptTemplate | undefined;
  /** For when there are no documents. May hold `{query}`, as the default does; without it the model does not see the question. */
  readonly emptyContextPromptTemplate?: PromptTemplate | undefined;
  /** Without documents: true leaves the query as it is, false asks by the template for no documents. Default false. */
  readonly allowEmptyContext?: boolean | undefined;
  /** Asks the model for the numbers of its sources, which `citations()` reads. Default false. */
  readonly citations?: boolean | undefined;
  /**
   * The documents as text, '' when there are none. Default `renderDocuments`, which numbers them and keeps each inside marks; who
   * replaces it sees to both.
   */
  readonly documentFormatter?: ((documents: readonly Document[]) => string) | undefined;
}

/**
 * Puts documents before the query, each inside marks that its text cannot close, and says that they are data. History and context of the
 * query stay.
 *
 * @example
 * new ContextualQueryAugmenter({ citations: true, allowEmptyContext: true });
 * Source: Spring AI `ContextualQueryAugmenter`, whose prompt for no documents leaves the question out.
 */
export class ContextualQueryAugmenter implements QueryAugmenter {
  readonly #template: PromptTemplate;
  readonly #emptyTemplate: PromptTemplate;
  readonly #allowEmptyContext: boolean;
  readonly #format: (documents: readonly Document[]) => string;

  /** @throws VernalError `template` for a missing placeholder, `invalid_argument` for a formatter that is no function */
  constructor(options: ContextualQueryAugmenterOptions = {}) {
    const { promptTemplate, emptyContextPromptTemplate, allowEmptyContext = false, citations = false } = options;
    const { documentFormatter = renderDocuments } = options;
    if (typeof documentFormatter !== 'function') {
      throw invalidArgument('documentFormatter', 'must be a function from documents to text');
    }
    this.#template = promptTemplate ?? new PromptTemplate(citations ? CITED_QUERY_TEMPLATE : CONTEXTUAL_QUERY_TEMPLATE);
    requirePlaceholders(this.#template, ['query', 'context']);
    this.#emptyTemplate = emptyContextPromptTemplate ?? new PromptTemplate(EMPTY_CONTEXT_TEMPLATE);
    this.#allowEmptyContext = allowEmptyContext;
    this.#format =
      citations && promptTemplate !== undefined
        ? (documents) => cited(documentFormatter(documents))
        : documentFormatter;
  }

  /** A query whose text is the rendered prompt. */
  augment(query: Query, documents: readonly Document[]): Query {
    const context = this.#format(documents);
    if (context.trim() !== '') return withQuery(query, { text: this.#template.render({ query: query.text, context }) });
    if (this.#allowEmptyContext) return query;
    return withQuery(query, { text: this.#emptyTemplate.render({ query: query.text }) });
  }
}

/** A template of one's own need not know of citations. */
function cited(context: string): string {
  return context.trim() === '' ? '' : `${CITE}\n\n${context}`;
}
