import { invalidArgument, TextSplitter } from '@vernal/core';
import { splitByLevels } from './split-by-levels.js';
import { behind, type Span, segments, type TextLevel } from './text-levels.js';
import { type ChunkSize, type ChunkSizeOptions, chunkSizeOf } from './text-measure.js';

/** How long chunks are and where they are best cut. */
export interface RecursiveTextSplitterOptions extends ChunkSizeOptions {
  /** The text is cut behind the first; what is still too large behind the next, … Default an empty line, a line end, then by sentences. */
  readonly separators?: readonly string[] | undefined;
}

const DEFAULT_SEPARATORS = ['\n\n', '\n'];

/**
 * Cuts where the text has its own large joints: at empty lines first; what is still too large at line ends, then by sentences, words and
 * characters. Neighbours are put together as long as they fit. For source code give separators such as `['\nclass ', '\nfunction ', '\n\n']`.
 *
 * Source: LangChain's `RecursiveCharacterTextSplitter`; Spring AI has none.
 *
 * @throws VernalError `invalid_argument` for options out of range
 * @example
 * ```ts
 * const splitter = new RecursiveTextSplitter({ chunkSize: 400, estimator: await loadTokenCountEstimator() });
 * ```
 */
export class RecursiveTextSplitter extends TextSplitter {
  readonly #size: ChunkSize;
  readonly #levels: readonly TextLevel[];

  constructor(options: RecursiveTextSplitterOptions = {}) {
    super(options);
    const { separators = DEFAULT_SEPARATORS } = options;
    if (separators.length === 0 || separators.includes(''))
      throw invalidArgument('separators', 'must name at least one, and no empty one');
    this.#size = chunkSizeOf(options);
    this.#levels = [...separators.map(behind), segments('sentence'), segments('word'), segments('grapheme')];
  }

  protected splitText(text: string): readonly Span[] {
    return [...splitByLevels(text, { start: 0, end: text.length }, this.#levels, this.#size)];
  }
}
