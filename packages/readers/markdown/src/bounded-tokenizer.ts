import { type Token, Tokenizer, type Tokens } from 'marked';

/** Lists and quotes inside each other, the page counted, far more than anyone writes. Each takes a pass over what is in it. */
export const DEEPEST_NESTING = 32;
/** As many are read in a page of any length. */
const LEAST_NESTING = 8;
/** Letters that these passes may have together, unless the page is longer than what the least of them allow. */
const MOST_PASSED = 16_000_000;

/** Letters of a heading that is underlined. The search for the underline begins anew at each line of a list's text. */
const LONGEST_HEADING = 1_000;
/** Letters of an address of mail, which are looked through again at each of them. More than the 254 that RFC 5321 allows. */
const LONGEST_ADDRESS = 320;
const ADDRESS_RUN = /^[a-zA-Z0-9.!#$%&'+/=?{|}-]{321,}/;
/** Up to what may be a mark. */
const UNMARKED = /^[^\\<![`*~_]+/;
/** Cells of a table that may stay empty because their row is too short. */
const MOST_MISSING_CELLS = 10_000;
/** Lines of a quote without a mark of their own. They are looked through again for each part of the quote between them. */
const MOST_LAZY_LINES = 100;
/** Lines of text in an item of a list. The lexer copies those before for each of them. */
const MOST_LINES = 2_000;
/** Fences, headings, quotes and rules at the start of a line. */
const LIST_BREAK = /^(?:`{3}|~{3}|#{1,6}(?:\s|$)|>|(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$)/;
const LIST_START = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\n|$)/;
const ITEM_START = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Letters of a paragraph that are looked through at once for its end; the lexer puts the parts together. */
const LONGEST_PARAGRAPH = 4_000;

/** For a rule that, at each line, looks for a table, all its rows included. A paragraph ends at an empty line at the latest. */
function boundedRule(rule: RegExp): RegExp {
  function exec(source: string): RegExpExecArray | null {
    if (source.length <= LONGEST_PARAGRAPH) return rule.exec(source);
    const start = source.slice(0, LONGEST_PARAGRAPH);
    const blank = start.indexOf('\n\n');
    const end = blank > 0 ? blank : start.lastIndexOf('\n');
    return rule.exec(end > 0 ? source.slice(0, end) : source);
  }
  // All that marked does with it.
  return { exec } as RegExp;
}

/** Keeps marked's rules from taking quadratic time, or making much of little. What it does not take stays as it is written. */
export class BoundedTokenizer extends Tokenizer {
  /** Of the text that is read now: it may have links that are no more than an address. */
  mayHoldAddress = true;
  /** Lists and quotes of the page that are read inside each other. */
  deepest: number = DEEPEST_NESTING;
  #quotes = 0;
  #hasLongRuns = false;

  /** For the page that is read next, once the lexer has given its rules to this. */
  bound(page: string): void {
    this.#hasLongRuns = hasLongRun(page);
    const passes = Math.floor(MOST_PASSED / page.length);
    this.deepest = Math.max(LEAST_NESTING, Math.min(DEEPEST_NESTING, passes));
    const { block } = this.rules;
    this.rules = { ...this.rules, block: { ...block, paragraph: boundedRule(block.paragraph) } };
  }

  /**
   * Only where the header has the columns of the line below, before all rows are looked through. Short rows are filled up to the width of
   * the header: a few lines could make millions of cells.
   */
  override table(source: string): Tokens.Table | undefined {
    const [, header, columns] = this.rules.block.table.exec(source.slice(0, lineEnd(source, 2))) ?? [];
    if (header === undefined || columns === undefined) return undefined;
    const width = columns.replace(/^\||\| *$/g, '').split('|').length;
    if (width !== countCells(header)) return undefined;
    const [written = '', , , rows = ''] = this.rules.block.table.exec(source) ?? [];
    return width * count(rows, '\n') > written.length + MOST_MISSING_CELLS ? undefined : super.table(source);
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!QUOTED_LINE.test(source)) return undefined;
    const quote = source.slice(0, quoteEnd(source));
    if (this.#quotes >= this.deepest) return { type: 'blockquote', raw: quote, text: quote, tokens: [plain(quote)] };
    this.#quotes++;
    try {
      return super.blockquote(quote);
    } finally {
      this.#quotes--;
    }
  }

  /** Right behind text a definition is part of it, and the lexer copies what there is of it for each. */
  override def(source: string): Tokens.Def | undefined {
    const { lastToken } = this.lexer.state;
    const isText = lastToken?.type === 'paragraph' || lastToken?.type === 'text';
    return isText && lastToken.raw.length > LONGEST_PARAGRAPH ? undefined : super.def(source);
  }

  override list(source: string): Tokens.List | undefined {
    // Asked at every block: where none begins, its end is not looked for.
    if (!LIST_START.test(source)) return undefined;
    return super.list(this.#hasLongRuns ? source.slice(0, listEnd(source)) : source);
  }

  override lheading(source: string): Tokens.Heading | undefined {
    if (source.length <= LONGEST_HEADING) return super.lheading(source);
    const end = source.lastIndexOf('\n', LONGEST_HEADING);
    return end <= 0 ? undefined : super.lheading(source.slice(0, end + 1));
  }

  /** Where no link can begin by itself, text goes to the next mark: found in one step, where marked's rule looks at each letter. */
  override inlineText(source: string): Tokens.Text | undefined {
    let run = this.mayHoldAddress ? undefined : UNMARKED.exec(source)?.[0];
    if (run?.includes('  \n')) run = undefined;
    if (run === undefined && source.length > LONGEST_ADDRESS) run = ADDRESS_RUN.exec(source)?.[0];
    return run === undefined
      ? super.inlineText(source)
      : { type: 'text', raw: run, text: run, escaped: this.lexer.state.inRawBlock };
  }
}

export function plain(source: string): Token {
  return { type: 'text', raw: source, text: source, escaped: false };
}

const QUOTED_LINE = /^ {0,3}>/;

/** So many lines without an empty one between them. */
function hasLongRun(page: string): boolean {
  let lines = 0;
  let before = -1;
  for (let at = page.indexOf('\n'); at !== -1; at = page.indexOf('\n', at + 1)) {
    if (at === before + 1) lines = 0;
    else if (++lines > MOST_LINES) return true;
    before = at;
  }
  return false;
}

/** Where the list ends, as far as its lines tell, or where too many lines in a row begin no item. */
function listEnd(source: string): number {
  const kind = itemKind(source.slice(0, lineEnd(source, 1)).trimStart());
  let lines = 0;
  let isBehindBlank = false;
  for (let at = 0; at < source.length; ) {
    const end = lineEnd(source, 1, at);
    const line = source.slice(at, end);
    const isBlank = line.trim() === '';
    const unindented = itemKind(line);
    if (LIST_BREAK.test(line) || (unindented !== undefined && unindented !== kind)) return at;
    if (isBlank || ITEM_START.test(line)) lines = 0;
    else if (++lines > MOST_LINES || (isBehindBlank && !/^[ \t]/.test(line))) return at;
    isBehindBlank = isBlank;
    at = end + 1;
  }
  return source.length;
}

/** Of a line that begins with a bullet or a number: items of another kind make another list. */
function itemKind(line: string): string | undefined {
  return /^(?:\d{1,9}(?=[.)]))?([-*+.)])(?:[ \t]|$)/.exec(line)?.[1];
}

/** Where too many lines have no mark, at the latest. */
function quoteEnd(source: string): number {
  let lazy = 0;
  for (let at = 0; at < source.length; ) {
    const end = lineEnd(source, 1, at);
    const line = source.slice(at, end);
    if (!QUOTED_LINE.test(line) && (line.trim() === '' || ++lazy > MOST_LAZY_LINES)) return at;
    at = end + 1;
  }
  return source.length;
}

/** Where that many lines end, their last line end not included. */
function lineEnd(source: string, lines: number, start = 0): number {
  let end = source.indexOf('\n', start);
  for (let line = 1; line < lines && end !== -1; line++) end = source.indexOf('\n', end + 1);
  return end === -1 ? source.length : end;
}

/** As marked splits a row: at pipes that are not escaped; what is empty before the first or behind the last is no cell. */
function countCells(row: string): number {
  const cells = row.replace(/\\[\\|]/g, '..').split('|');
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.length;
}

function count(text: string, letter: string): number {
  let found = 0;
  for (let at = text.indexOf(letter); at !== -1; at = text.indexOf(letter, at + 1)) found++;
  return found;
}
