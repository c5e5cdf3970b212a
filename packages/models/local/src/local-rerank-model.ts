import { setImmediate } from 'node:timers/promises';
import {
  type CallContext,
  type Document,
  formatDocument,
  invalidArgument,
  type MetadataMode,
  noopObservationRegistry,
  type ObservationRegistry,
  type RerankModel,
  type RerankOptions,
  startSafely,
  throwIfAborted,
  VernalError,
} from '@vernal/core';
import { loadLexicon } from './load-lexicon.js';
import { PassageScorer } from './rerank/passage-scorer.js';

/** All may be left out: there is nothing to connect to. */
export interface LocalRerankModelOptions {
  /** What of a document is compared with the query. Default 'embed', so that titles help, as they do in `LocalEmbeddingModel`. */
  readonly metadataMode?: MetadataMode | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
}

/** Changes with the scores. */
const MODEL = 'vernal-rerank-en-1';
/** Of a query and of a document, characters that are read: some 5,000 words. */
const LONGEST_TEXT = 32_768;
/** So many characters take about as long as other work may be kept waiting: some ten milliseconds. */
const CHARACTERS_A_TURN = 16_384;

/**
 * Reranks inside the process: no server, no key, nothing downloaded, some milliseconds for thirty passages. Each word of the query looks for
 * the word of the passage that fits it best, by the word table of `LocalEmbeddingModel`; see `PassageScorer` for how, and the README for how
 * well. It is no neural cross-encoder: it knows which words belong together, not what a sentence says.
 *
 * Scores are 0 to 1, depend on the query and the document alone, and are the same on every machine; 0.3 and more is a good match for a question
 * in other words. Ties keep their order. Documents without text stand at the end, in their order and without a score. Of a text the first
 * 32,768 characters are read.
 *
 * @example
 * const found = await vectorStore.similaritySearch({ query, topK: 30, mode: 'hybrid' });
 * const best = await new LocalRerankModel().rerank(query, found, { topN: 5 });
 */
export class LocalRerankModel implements RerankModel {
  readonly provider: string = 'local';
  readonly #metadataMode: MetadataMode;
  readonly #registry: ObservationRegistry;

  constructor({ metadataMode = 'embed', observationRegistry }: LocalRerankModelOptions = {}) {
    this.#metadataMode = metadataMode;
    this.#registry = observationRegistry ?? noopObservationRegistry;
  }

  /** @throws VernalError `invalid_argument` for a `topN` below 1, `model_not_found` for another model, `aborted`, `timeout`, `resource` */
  async rerank(
    query: string,
    documents: readonly Document[],
    options: RerankOptions = {},
    context: CallContext = {},
  ): Promise<Document[]> {
    const { topN } = checkedOptions(options);
    throwIfAborted(context.signal);
    if (documents.length === 0) return [];
    const observation = this.#registry.enabled
      ? startSafely(this.#registry, () => ({
          kind: 'rerank_model',
          name: MODEL,
          parent: context.observation,
          data: { provider: this.provider, requestModel: MODEL, count: documents.length },
        }))
      : undefined;
    try {
      return (await this.#ordered(query, documents, context.signal)).slice(0, topN);
    } catch (error) {
      observation?.error(error);
      throw error;
    } finally {
      observation?.stop();
    }
  }

  async #ordered(query: string, documents: readonly Document[], signal: AbortSignal | undefined): Promise<Document[]> {
    const scorer = new PassageScorer(query.slice(0, LONGEST_TEXT), await loadLexicon());
    const scored: (Document & { readonly score: number })[] = [];
    const silent: Document[] = [];
    let characters = 0;
    for (const { score: _, ...document } of documents) {
      if (characters > CHARACTERS_A_TURN) {
        await setImmediate();
        characters = 0;
      }
      throwIfAborted(signal);
      if ((document.text ?? '').trim() === '') silent.push(document);
      else {
        const text = formatDocument(document, this.#metadataMode).slice(0, LONGEST_TEXT);
        characters += text.length;
        scored.push({ ...document, score: scorer.score(text) });
      }
    }
    scored.sort((a, b) => b.score - a.score);
    return [...scored, ...silent];
  }
}

function checkedOptions({ model, topN }: RerankOptions): RerankOptions {
  if (topN !== undefined && (!Number.isSafeInteger(topN) || topN < 1))
    throw invalidArgument('topN', 'must be a whole number, at least 1; leave it out for all');
  if (model !== undefined && model !== MODEL)
    throw new VernalError(`LocalRerankModel has the model '${MODEL}' and no other; leave 'model' out`, {
      code: 'model_not_found',
      subject: 'model',
    });
  return { topN };
}
