import type { Span } from './text-levels.js';

/** A heading and where its section begins, which is where it stands itself. */
export interface MarkdownHeading {
  readonly level: number;
  readonly title: string;
  readonly start: number;
  /** Behind the heading's lines. */
  readonly end: number;
}

/** A line without its end, with its place. `isCode`: in a fenced block, or one of its fences. */
interface Line extends Span {
  readonly text: string;
  readonly isCode: boolean;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** What cannot be the text of an underlined heading: the beginning of another block. */
const NO_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:[>#|]|[-+*][ \t]|\d{1,9}[.)][ \t]))/;

function* linesOf(text: string): Generator<Line> {
  let fence: string | undefined;
  for (const match of text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    const [whole, line = ''] = match;
    if (whole === '' && match.index === text.length) return;
    const found = FENCE.exec(line)?.[1];
    const closes = fence !== undefined && found?.startsWith(fence) === true && line.trim() === found;
    yield {
      start: match.index,
      end: match.index + whole.length,
      text: line,
      isCode: fence !== undefined || found !== undefined,
    };
    if (closes) fence = undefined;
    else fence ??= found;
  }
}

/** The headings of a Markdown text, `# so` and underlined, without what looks like one inside of fenced code. */
export function markdownHeadings(text: string): MarkdownHeading[] {
  const headings: MarkdownHeading[] = [];
  let before: Line | undefined;
  for (const line of linesOf(text)) {
    const [, marks = '', title = ''] = line.isCode ? [] : (ATX.exec(line.text) ?? []);
    const underline = line.isCode ? undefined : UNDERLINE.exec(line.text)?.[1];
    if (marks !== '') {
      headings.push({ level: marks.length, title: title.trim(), start: line.start, end: line.end });
      before = undefined;
    } else if (underline !== undefined && before !== undefined) {
      const level = underline.startsWith('=') ? 1 : 2;
      headings.push({ level, title: before.text.trim(), start: before.start, end: line.end });
      before = undefined;
    } else {
      const isText = !line.isCode && line.text.trim() !== '' && !NO_PARAGRAPH.test(line.text);
      // Of a paragraph of several lines the underline makes all a heading; that is rare and mostly a slip.
      before = isText && before === undefined ? line : undefined;
    }
  }
  return headings;
}

/** Blocks of a Markdown text: what stands between empty lines, fenced code in one piece. */
export function* markdownBlocks(text: string, { start, end }: Span): Generator<Span> {
  let from = start;
  let isBlankBefore = false;
  for (const line of linesOf(text.slice(start, end))) {
    const isBlank = !line.isCode && line.text.trim() === '';
    if (isBlankBefore && !isBlank && start + line.start > from) {
      yield { start: from, end: start + line.start };
      from = start + line.start;
    }
    isBlankBefore = isBlank;
  }
  if (from < end) yield { start: from, end };
}
