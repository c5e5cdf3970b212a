import type { CallContext, EmbeddingModel } from '@vernal/core';
import { document, embedDocuments, invalidArgument, TextSplitter } from '@vernal/core';
import { splitByLevels } from './split-by-levels.js';
import { type Span, segments, trimmed } from './text-levels.js';
import { type ChunkSize, type ChunkSizeOptions, chunkSizeOf } from './text-measure.js';

/** The model is required. */
export interface SemanticTextSplitterOptions extends ChunkSizeOptions {
  /** Embeds each sentence together with its neighbours. */
  readonly embeddingModel: EmbeddingModel;
  /** Cuts where the distance of two neighbours is larger than that of so many percent of all neighbours in the text, 0 to 100. Default 90. */
  readonly percentile?: number | undefined;
  /** Sentences before and behind each that are embedded with it, 0 to 10. Default 1. */
  readonly context?: number | undefined;
  /** A chunk that is shorter is not ended by a change of subject. In the unit of `chunkSize`. Default a quarter of it. */
  readonly minChunkSize?: number | undefined;
}

const SENTENCES = segments('sentence');
const LEVELS = [SENTENCES, segments('word'), segments('grapheme')];

/**
 * Cuts where the subject changes: each sentence is embedded with its neighbours, and where the vectors of two that follow each other are
 * far apart, a chunk ends. Chunks that would be too large are cut between sentences, as `SentenceTextSplitter` does. Embeds every sentence of
 * a text, before the chunks are embedded themselves: for texts without headings whose subject changes within them.
 *
 * Source: the semantic chunking of G. Kamradt, "5 Levels of Text Splitting", as in LangChain's `SemanticChunker`.
 *
 * @throws VernalError `invalid_argument` for options out of range; what the model throws
 * @example
 * ```ts
 * const splitter = new SemanticTextSplitter({ embeddingModel: new LocalEmbeddingModel(), chunkSize: 1500 });
 * ```
 */
export class SemanticTextSplitter extends TextSplitter {
  readonly #size: ChunkSize;
  readonly #model: EmbeddingModel;
  readonly #percentile: number;
  readonly #context: number;
  readonly #least: number;

  constructor(options: SemanticTextSplitterOptions) {
    super(options);
    const { embeddingModel, percentile = 90, context = 1 } = options;
    if (typeof embeddingModel?.embed !== 'function') throw invalidArgument('embeddingModel', 'pass an EmbeddingModel');
    if (!(percentile >= 0 && percentile <= 100)) throw invalidArgument('percentile', 'must be a number from 0 to 100');
    if (!Number.isInteger(context) || context < 0 || context > 10)
      throw invalidArgument('context', 'must be a whole number from 0 to 10');
    this.#size = chunkSizeOf(options);
    const { minChunkSize = this.#size.chunkSize / 4 } = options;
    if (!(minChunkSize >= 0 && minChunkSize <= this.#size.chunkSize))
      throw invalidArgument('minChunkSize', 'must be a number of at least 0, up to chunkSize');
    this.#model = embeddingModel;
    this.#percentile = percentile;
    this.#context = context;
    this.#least = minChunkSize;
  }

  protected async splitText(text: string, context?: CallContext): Promise<readonly Span[]> {
    const whole = { start: 0, end: text.length };
    const sentences = [...SENTENCES(text, whole)].flatMap((sentence) => trimmed(text, sentence) ?? []);
    const subjects =
      sentences.length < 2 ? [whole] : this.#subjects(text, sentences, await this.#distances(text, sentences, context));
    return subjects.flatMap((subject) => [...splitByLevels(text, subject, LEVELS, this.#size)]);
  }

  /** Between each sentence and the next. */
  async #distances(text: string, sentences: readonly Span[], context: CallContext | undefined): Promise<number[]> {
    const windows = sentences.map((_, at) => {
      const first = sentences[Math.max(0, at - this.#context)];
      const last = sentences[Math.min(sentences.length - 1, at + this.#context)];
      return document(text.slice(first?.start, last?.end));
    });
    const vectors = await embedDocuments(this.#model, windows, context);
    return vectors.slice(1).map((vector, at) => distance(vectors[at] ?? vector, vector));
  }

  #subjects(text: string, sentences: readonly Span[], distances: readonly number[]): Span[] {
    const least = quantile(distances, this.#percentile / 100);
    const subjects: Span[] = [];
    let start = 0;
    for (const [at, apart] of distances.entries()) {
      const next = sentences[at + 1]?.start ?? text.length;
      if (!(apart > least) || this.#size.measure(text.slice(start, next).trim()) < this.#least) continue;
      subjects.push({ start, end: next });
      start = next;
    }
    const last = { start, end: text.length };
    const before = subjects.at(-1);
    const isShort = this.#size.measure(text.slice(start).trim()) < this.#least;
    if (before === undefined || !isShort) return [...subjects, last];
    return [...subjects.slice(0, -1), { start: before.start, end: text.length }];
  }
}

/** One minus the cosine; 1 where one of them has no direction. */
function distance(a: Float32Array, b: Float32Array): number {
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const y = b[at] ?? 0;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  const lengths = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  return lengths === 0 ? 1 : 1 - product / lengths;
}

/** Between the values that are there, linear. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}
