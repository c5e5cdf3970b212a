import { TextSplitter } from '@vernal/core';
import { splitByLevels } from './split-by-levels.js';
import { type Span, segments } from './text-levels.js';
import { type ChunkSize, type ChunkSizeOptions, chunkSizeOf } from './text-measure.js';

/** How long chunks are. */
export interface SentenceTextSplitterOptions extends ChunkSizeOptions {}

const LEVELS = [segments('sentence'), segments('word'), segments('grapheme')];

/**
 * Puts whole sentences together as long as they fit, in every script; a sentence that is too large by itself is cut between words. An overlap
 * repeats whole sentences.
 *
 * Source: sentence boundaries of Unicode Standard Annex 29, by `Intl.Segmenter`.
 *
 * @throws VernalError `invalid_argument` for options out of range
 * @example
 * ```ts
 * const splitter = new SentenceTextSplitter({ chunkSize: 1200, overlap: 200 });
 * ```
 */
export class SentenceTextSplitter extends TextSplitter {
  readonly #size: ChunkSize;

  constructor(options: SentenceTextSplitterOptions = {}) {
    super(options);
    this.#size = chunkSizeOf(options);
  }

  protected splitText(text: string): readonly Span[] {
    return [...splitByLevels(text, { start: 0, end: text.length }, LEVELS, this.#size)];
  }
}
