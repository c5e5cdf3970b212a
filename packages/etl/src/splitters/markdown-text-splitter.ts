import type { Metadata } from '@vernal/core';
import { invalidArgument, TextSplitter } from '@vernal/core';
import { type MarkdownHeading, markdownBlocks, markdownHeadings } from './markdown-lines.js';
import { splitByLevels } from './split-by-levels.js';
import { behind, type Span, segments } from './text-levels.js';
import { type ChunkSize, type ChunkSizeOptions, chunkSizeOf } from './text-measure.js';

/** How long chunks are, and which headings begin one. */
export interface MarkdownTextSplitterOptions extends ChunkSizeOptions {
  /** Headings up to this level begin a chunk of their own, 1 to 6. Default 6. */
  readonly maxLevel?: number | undefined;
}

const LEVELS = [markdownBlocks, behind('\n'), segments('sentence'), segments('word'), segments('grapheme')];

/** Text under one heading. */
interface Section extends Span {
  readonly path: readonly string[];
}

/**
 * Cuts Markdown at its headings, so that no chunk is about two of them, and notes in `headings` under which ones it stands, the outermost
 * first, behind those that the document itself has. What is too large for a chunk is cut at empty lines outside of code, then at line ends and
 * by sentences. A heading without a text of its own goes with the section below it.
 *
 * Source: LangChain's `MarkdownHeaderTextSplitter`; headings and fences by CommonMark 0.31.
 *
 * @throws VernalError `invalid_argument` for options out of range
 * @example
 * ```ts
 * const splitter = new MarkdownTextSplitter({ maxLevel: 3, chunkSize: 1500 });
 * ```
 */
export class MarkdownTextSplitter extends TextSplitter {
  readonly #size: ChunkSize;
  readonly #maxLevel: number;
  #last: { readonly text: string; readonly sections: readonly Section[] } = { text: '', sections: [] };

  constructor(options: MarkdownTextSplitterOptions = {}) {
    super(options);
    const { maxLevel = 6 } = options;
    if (!Number.isInteger(maxLevel) || maxLevel < 1 || maxLevel > 6)
      throw invalidArgument('maxLevel', 'must be a whole number from 1 to 6');
    this.#size = chunkSizeOf(options);
    this.#maxLevel = maxLevel;
  }

  protected splitText(text: string): readonly Span[] {
    return this.#sections(text).flatMap((section) => [...splitByLevels(text, section, LEVELS, this.#size)]);
  }

  protected override chunkMetadata(text: string, { start }: Span, parent: Metadata): Metadata {
    const path = this.#sections(text).findLast((section) => section.start <= start)?.path ?? [];
    const above = Array.isArray(parent['headings']) ? parent['headings'] : [];
    return path.length === 0 ? {} : { headings: [...above, ...path] };
  }

  /** Asked for each chunk of a text. */
  #sections(text: string): readonly Section[] {
    if (this.#last.text !== text) this.#last = { text, sections: sectionsOf(text, this.#maxLevel) };
    return this.#last.sections;
  }
}

function sectionsOf(text: string, maxLevel: number): Section[] {
  const sections: Section[] = [];
  const open: MarkdownHeading[] = [];
  let start = 0;
  let bodyStart = 0;
  const end = (at: number): void => {
    // Only headings so far: they go with what follows.
    if (text.slice(bodyStart, at).trim() === '' && at < text.length) return;
    if (at > start)
      sections.push({ start, end: at, path: open.map(({ title }) => title).filter((title) => title !== '') });
    start = at;
  };
  for (const heading of markdownHeadings(text)) {
    if (heading.level > maxLevel) continue;
    end(heading.start);
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push(heading);
    bodyStart = heading.end;
  }
  end(text.length);
  return sections;
}
