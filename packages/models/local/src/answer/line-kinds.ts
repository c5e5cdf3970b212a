/** Begins and ends a block of code. */
export const FENCE: RegExp = /^\s*(?:```|~~~)/;
/** Captures the heading. */
export const HEADING: RegExp = /^\s*#{1,6}\s+(.*)$/;
/** The line below a heading that is underlined. */
export const UNDERLINE: RegExp = /^\s*(?:=+|-{3,})\s*$/;
export const ITEM: RegExp = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
export const ROW: RegExp = /^\s*\|/;
/** A row as readers write it that take the marks of Markdown and HTML away. */
export const BARE_ROW: RegExp = /\S \| \S|\S \|\s*$/;

const CODE_LINE =
  /[;{}]\s*$|=>|^\s*[)\]}.]|^\s*(?:import|export|const|let|class|return|await|for|if|npm|npx|pnpm|git|cd|curl|docker|pip)\s|^\s*(?:[$#>]|\/\/)\s/;
/** So much of a block must look like code. */
const CODE_SHARE = 0.6;
/** A line that asks may be a title: lists of questions and answers are written so. */
const SENTENCE_END = /[.!:;,。！：；，…]["'”’)\]*_`]*$/;
const LONGEST_TITLE = 80;
const MOST_WORDS_IN_HEAD = 3;

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** True for lines that are code without a fence. */
export function isCode(lines: readonly string[]): boolean {
  const code = lines.filter((line) => CODE_LINE.test(line)).length;
  return code > 0 && code >= CODE_SHARE * lines.length;
}

/** The line between the head of a table and its rows. */
export function isRowRule(line: string): boolean {
  return /^[\s:|-]+$/.test(line) && line.includes('-');
}

/** Without a rule below it the first row may be the head, or a row like others when a chunk begins inside the table. */
export function isTableHead(row: string): boolean {
  return !/\p{N}/u.test(row) && row.split('|').every((cell) => cell.trim().split(/\s+/).length <= MOST_WORDS_IN_HEAD);
}

/** A short line without an end, with text behind it: plain text has no other mark for headings. */
export function isTitle(line: string, next: string): boolean {
  const title = line.trim();
  const text = next.trim();
  if (title.length > LONGEST_TITLE || text.length <= title.length) return false;
  return !SENTENCE_END.test(title) && /^["“'`\p{Lu}\p{N}]/u.test(text);
}
