import { Lexer, type MarkedOptions, type Token, type TokensList } from 'marked';

/** Lists and quotes inside each other, far more than anyone writes. */
const DEEPEST_NESTING = 60;
/** Marks of emphasis in one paragraph; matching them takes quadratic time. */
const MOST_EMPHASIS_MARKS = 2_000;

/** A lexer that answers in time whatever it is given: what is nested too deeply, or is nothing but marks, stays plain text. */
class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#depth >= DEEPEST_NESTING) {
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
    if (source.length > MOST_EMPHASIS_MARKS && countMarks(source) > MOST_EMPHASIS_MARKS) {
      tokens.push(plain(source));
      return tokens;
    }
    return super.inlineTokens(source, tokens);
  }
}

/** Own options, so that settings of the application for marked do not reach in here. */
export function lexMarkdown(markdown: string): Token[] {
  const options: MarkedOptions = { gfm: true, breaks: false, pedantic: false };
  return new BoundedLexer(options).lex(markdown);
}

function plain(source: string): Token {
  return { type: 'text', raw: source, text: source, escaped: false };
}

function countMarks(source: string): number {
  let count = 0;
  for (let at = 0; at < source.length; at++) {
    const unit = source.charCodeAt(at);
    // * _ ~
    if (unit === 42 || unit === 95 || unit === 126) count++;
  }
  return count;
}
