import { readJson } from './json-prefix.js';

const FENCE = /^(?:`{3,}|~{3,})[ \t]*[\w+#.-]*/;
/** A thought, or what is more likely to be a value than a bracket in prose. */
const MARK = /<(think(?:ing)?|reasoning)(?:\s[^<>]{0,200})?>|\{\s*"|\[\s*[[{"]/i;
/** What may yet become a thought or a fence. */
const LEAD_CUT = /^(?:<(?:[a-z]*|(?:think(?:ing)?|reasoning)\s[^<>]{0,200})|(?:`+|~+)[ \t]*[\w+#.-]*)?$/i;
/** An end that may yet become the beginning of a value, or of a thought, or the end of one. */
const CUT = /(?:[{[]\s*|<\/?[a-z]*\s*|<(?:think(?:ing)?|reasoning)\s[^<>]{0,200})$/i;

/**
 * Finds where the value begins in a text that comes in pieces: behind thoughts, an opening code fence and prose. What lies before it is
 * let go, so that a long thought in many pieces costs no more than its length.
 */
export class ValueStart {
  #rest = '';
  /** The end of the thought that the text is in. */
  #thoughtEnd: RegExp | undefined;
  #prose = false;

  /** The text from the value on, once something of it can be read; more text does not move its beginning. */
  push(piece: string): string | undefined {
    this.#rest += piece;
    for (;;) {
      if (this.#thoughtEnd !== undefined) {
        if (!this.#skip(this.#thoughtEnd)) return this.#keepEnd();
        this.#thoughtEnd = undefined;
      }
      if (!this.#prose) this.#rest = this.#rest.trimStart();
      const mark = MARK.exec(this.#rest);
      if (!this.#prose && (mark?.[1] === undefined || mark.index > 0)) {
        if (LEAD_CUT.test(this.#rest)) return undefined;
        if (this.#skip(FENCE)) continue;
        const read = readJson(this.#rest, 0, 'lenient');
        if (read.value !== undefined) return this.#rest;
        if (read.state === 'cut') return undefined;
        this.#prose = true;
      }
      if (mark === null) return this.#keepEnd();
      const [found, thought] = mark;
      if (thought === undefined) return this.#rest.slice(mark.index);
      this.#rest = this.#rest.slice(mark.index + found.length);
      this.#thoughtEnd = new RegExp(`</${thought}\\s*>`, 'i');
    }
  }

  #skip(mark: RegExp): boolean {
    const found = mark.exec(this.#rest);
    if (found === null) return false;
    this.#rest = this.#rest.slice(found.index + found[0].length);
    return true;
  }

  #keepEnd(): undefined {
    this.#rest = CUT.exec(this.#rest)?.[0] ?? '';
  }
}
