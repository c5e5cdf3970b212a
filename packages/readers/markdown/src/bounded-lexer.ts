import { Lexer, type Token, type TokensList } from 'marked';
import { BoundedTokenizer, DEEPEST_NESTING, plain } from './bounded-tokenizer.js';

/** What there is in every address that is a link without marks. */
const ADDRESS_SIGN = /[@:]|www\./i;
/** The start of a line with more of them than that, which is no rule: marked goes through all of them for each. */
const TOO_MANY_BULLETS = new RegExp(
  `^(?![ \\t]*(?:(?:-[ \\t]*)+|(?:\\*[ \\t]*)+)$)[ \\t]*(?:>[ \\t]*|(?:[-*+]|\\d{1,9}[.)])[ \\t]+){${DEEPEST_NESTING}}(?=(?:[-*+]|\\d{1,9}[.)])[ \\t])`,
  'gm',
);
/** Letters of text in a paragraph that are read at once; marks are matched within them. */
const LONGEST_RUN = 5_000;
/** Marks of emphasis in such a run, times its letters: each mark is looked for up to the end. Runs with many marks are shorter. */
const MOST_MATCHING = 200_000;

/** A lexer that answers in time whatever it is given: what is nested too deeply, or is nothing but marks, stays plain text. */
class BoundedLexer extends Lexer {
  readonly #tokenizer: BoundedTokenizer;
  #depth = 0;

  constructor(tokenizer: BoundedTokenizer) {
    super({ gfm: true, breaks: false, pedantic: false, tokenizer });
    this.#tokenizer = tokenizer;
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#depth >= this.#tokenizer.deepest) {
      tokens.push(plain(source));
      return tokens;
    }
    this.#depth++;
    try {
      return super.blockTokens(source, tokens, lastParagraphClipped);
    } finally {
      this.#depth--;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const { mayHoldAddress } = this.#tokenizer;
    this.#tokenizer.mayHoldAddress = ADDRESS_SIGN.test(source);
    try {
      if (source.length ** 2 <= MOST_MATCHING) return super.inlineTokens(source, tokens);
      for (let at = 0; at < source.length; ) {
        const end = runEnd(source, at);
        super.inlineTokens(source.slice(at, end), tokens);
        at = end;
      }
      return tokens;
    } finally {
      this.#tokenizer.mayHoldAddress = mayHoldAddress;
    }
  }
}

/** Own options, so that settings of the application for marked do not reach in here. */
export function lexMarkdown(markdown: string): TokensList {
  const tokenizer = new BoundedTokenizer();
  const lexer = new BoundedLexer(tokenizer);
  tokenizer.bound(markdown);
  return lexer.lex(markdown.replace(TOO_MANY_BULLETS, '$&\\'));
}

/** The end of the text, or the last line end or space that the run may have, so that no word is cut unless there is nothing else. */
function runEnd(source: string, start: number): number {
  let marks = 0;
  let space = 0;
  for (let at = start; at < source.length; at++) {
    const unit = source.charCodeAt(at);
    // * _ ~
    if (unit === 42 || unit === 95 || unit === 126) marks++;
    else if (unit === 10 || unit === 32) space = at + 1;
    const length = at + 1 - start;
    if (length < LONGEST_RUN && length * marks < MOST_MATCHING) continue;
    if (space > start) return space;
    return unit >= 0xd800 && unit <= 0xdbff ? at : at + 1;
  }
  return source.length;
}
