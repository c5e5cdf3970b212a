import type { CallContext, Document, Documents, DocumentTransformer, MetadataInput, MetadataMode } from '@vernal/core';
import { formatDocument, invalidArgument, PromptTemplate, withDocument } from '@vernal/core';
import { concurrentMap } from './concurrent-map.js';
import { EnricherCalls, type EnricherOptions } from './enricher.js';

/** Whose summary: that of the document before, its own, or that of the document behind it. */
export type SummaryType = 'previous' | 'current' | 'next';

/** Which summaries are made, and of what. */
export interface SummaryEnricherOptions extends EnricherOptions {
  /** Whose summaries a document gets. Default its own: `['current']`. */
  readonly types?: readonly SummaryType[] | undefined;
  /** What of a document is summarized. Default 'all'. */
  readonly metadataMode?: MetadataMode | undefined;
}

const SUMMARY_TEMPLATE = `Here is the content of a section:
{context_str}

Summarize the key topics and entities of the section in a few sentences. Summary:`;

/** A document and its own summary. */
interface Summarized {
  readonly document: Document;
  readonly summary: string;
}

/**
 * Adds summaries that a model writes: `section_summary` of the document itself, `prev_section_summary` and `next_section_summary` of its
 * neighbours. Neighbours are those of the same `source`; summaries that are missing leave their key out. At most `concurrency` documents
 * are read ahead.
 *
 * Source: Spring AI's `SummaryMetadataEnricher`.
 *
 * @throws VernalError `invalid_argument` for bad options, `template` for a template without `{context_str}`; what the model throws
 *
 * @example
 * const enriched = new SummaryMetadataEnricher({ model, types: ['previous', 'current'] }).transform(documents);
 */
export class SummaryMetadataEnricher implements DocumentTransformer {
  readonly #calls: EnricherCalls;
  readonly #metadataMode: MetadataMode | undefined;
  readonly #types: readonly SummaryType[];

  constructor(options: SummaryEnricherOptions) {
    const { types = [], metadataMode, promptTemplate = new PromptTemplate(SUMMARY_TEMPLATE) } = options;
    this.#calls = new EnricherCalls(options, promptTemplate, ['context_str']);
    this.#metadataMode = metadataMode;
    this.#types = types.length === 0 ? ['current'] : types;
    if (this.#types.some((type) => type !== 'previous' && type !== 'current' && type !== 'next')) {
      throw invalidArgument('types', "may hold 'previous', 'current' and 'next'");
    }
  }

  async *transform(documents: Documents, options?: CallContext): AsyncGenerator<Document> {
    const summarize = async (document: Document, signal: AbortSignal): Promise<Summarized> => {
      const text = formatDocument(document, this.#metadataMode);
      return { document, summary: await this.#calls.ask(document, { context_str: text }, { ...options, signal }) };
    };
    let previous: Summarized | undefined;
    let current: Summarized | undefined;
    for await (const next of concurrentMap(documents, this.#calls.concurrency, summarize, options?.signal)) {
      if (current !== undefined) yield this.#enriched(previous, current, next);
      previous = current;
      current = next;
    }
    if (current !== undefined) yield this.#enriched(previous, current, undefined);
  }

  #enriched(previous: Summarized | undefined, current: Summarized, next: Summarized | undefined): Document {
    const { document } = current;
    const summaryOf = (type: SummaryType, neighbour: Summarized | undefined): string | undefined => {
      if (!this.#types.includes(type) || neighbour?.document.metadata['source'] !== document.metadata['source'])
        return undefined;
      return neighbour?.summary || undefined;
    };
    const metadata: MetadataInput = {
      section_summary: summaryOf('current', current),
      prev_section_summary: summaryOf('previous', previous),
      next_section_summary: summaryOf('next', next),
    };
    return withDocument(document, { metadata });
  }
}
