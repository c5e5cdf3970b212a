import type { Token, Tokens, TokensList } from 'marked';
import { blockText, inlineText, type TextOptions } from './markdown-text.js';
import { writtenText } from './written-text.js';

/** A stretch of a page that becomes a document. */
export interface Section {
  readonly text: string;
  /** `header_2`, `code_block`, `blockquote`; undefined for text before the first heading. */
  readonly category: string | undefined;
  /** Of the heading above, without marks. */
  readonly title: string | undefined;
  /** The titles from the top down to this one. */
  readonly headings: readonly string[];
  /** 1 to 6, that of the heading above. */
  readonly level: number | undefined;
  /** The info string's first word, of a code block on its own. */
  readonly lang: string | undefined;
  /** From 1, both inclusive. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface SectionOptions extends TextOptions {
  readonly text: 'plain' | 'markdown';
  readonly horizontalRuleCreateDocument: boolean;
  readonly includeCodeBlock: boolean;
  readonly includeBlockquote: boolean;
}

interface Heading {
  readonly title: string;
  readonly level: number;
  readonly line: number;
}

/** Cuts a page at its headings. `firstLine` is the line of the first token. */
export function* sectionsOf(tokens: TokensList, firstLine: number, options: SectionOptions): Generator<Section> {
  const path: Heading[] = [];
  const written = options.text === 'markdown' ? writtenText(tokens.links) : undefined;
  let blocks: Token[] = [];
  let startLine = firstLine;
  let endLine = firstLine;
  let line = firstLine;
  /** The heading above has not been told of by any section, its own or one below it. */
  let isUntold = false;

  function section(
    text: string,
    category: string | undefined,
    lines: readonly [number, number],
    lang?: string,
  ): Section {
    const heading = path.at(-1);
    const headings = path.map(({ title }) => title);
    return {
      text,
      category,
      title: heading?.title,
      headings,
      level: heading?.level,
      lang,
      startLine: lines[0],
      endLine: lines[1],
    };
  }

  /** Only what says something becomes a document, however much is written. */
  function textOf(tokens: readonly Token[]): string {
    if (written === undefined) return blockText(tokens, options);
    const source = written.take();
    return tokens.some((token) => blockText([token], options) !== '') ? source : '';
  }

  function* flush(next?: Heading): Generator<Section> {
    const text = textOf(blocks);
    const heading = path.at(-1);
    const category = heading && `header_${heading.level}`;
    if (text !== '') yield section(text, category, [startLine, endLine]);
    // A heading with nothing below it would be lost, so it is its own text.
    else if (
      isUntold &&
      heading !== undefined &&
      (next === undefined || next.level <= heading.level) &&
      heading.title !== ''
    ) {
      yield section(heading.title, category, [heading.line, heading.line]);
    }
    if (text !== '') isUntold = false;
    blocks = [];
  }

  function* alone(token: Token, category: string, lang?: string): Generator<Section> {
    yield* flush({ title: '', level: 7, line });
    written?.add(token);
    const text = textOf([token]);
    if (text === '') return;
    isUntold = false;
    yield section(text, category, [line, line + lineEnds(token.raw.trimEnd())], lang);
  }

  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: inline } = token as Tokens.Heading;
      const title = inlineText(inline, { includeLinkUrls: false }).replace(/\s+/g, ' ').trim();
      const heading = { title, level: depth, line };
      yield* flush(heading);
      while ((path.at(-1)?.level ?? 0) >= depth) path.pop();
      path.push(heading);
      isUntold = true;
    } else if (token.type === 'hr') {
      if (options.horizontalRuleCreateDocument) yield* flush({ title: '', level: 7, line });
      else written?.add(token);
    } else if (token.type === 'code' && !options.includeCodeBlock) {
      yield* alone(token, 'code_block', /^\S+/.exec((token as Tokens.Code).lang ?? '')?.[0]);
    } else if (token.type === 'blockquote' && !options.includeBlockquote) {
      yield* alone(token, 'blockquote');
    } else if (token.type === 'space' || token.type === 'def') {
      written?.add(token);
    } else {
      written?.add(token);
      if (blocks.length === 0) startLine = line;
      blocks.push(token);
      endLine = line + lineEnds(token.raw.trimEnd());
    }
    line += lineEnds(token.raw);
  }
  yield* flush();
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
