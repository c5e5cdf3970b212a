import type { RedactionPattern } from './redaction-pattern.js';

/** A part of a text: `start` is in it, `end` is not. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const DEFAULT_MAX_LENGTH = 256;

/** Finds matches from left to right, none in another. Of two that begin at the same place the pattern that was listed first wins. */
export class PatternScanner {
  /** The longest match that counts. */
  readonly longest: number;
  readonly #patterns: readonly BoundedPattern[];

  constructor(patterns: readonly RedactionPattern[]) {
    this.#patterns = patterns.map((pattern) => new BoundedPattern(pattern));
    this.longest = Math.max(...this.#patterns.map(({ maxLength }) => maxLength));
  }

  /** Those that begin at `from` or later, and before `until`. */
  scan(text: string, from: number, until: number): readonly Found[] {
    const all: Found[] = [];
    const next = this.#patterns.map((pattern) => pattern.find(text, from, until));
    for (;;) {
      let first: Found | undefined;
      for (const found of next) {
        if (found !== undefined && (first === undefined || found.start < first.start)) first = found;
      }
      if (first === undefined) return all;
      all.push(first);
      for (const [i, found] of next.entries()) {
        if (found !== undefined && found.start < first.end) next[i] = this.#patterns[i]?.find(text, first.end, until);
      }
    }
  }
}

class BoundedPattern {
  readonly maxLength: number;
  readonly #replacement: string;
  readonly #valid: ((match: string) => boolean) | undefined;
  /** Of its own, so that nobody else moves where it stands. */
  readonly #anywhere: RegExp;
  readonly #here: RegExp;

  constructor({ pattern, replacement, maxLength = DEFAULT_MAX_LENGTH, valid }: RedactionPattern) {
    const flags = pattern.flags.replace(/[gy]/g, '');
    this.maxLength = maxLength;
    this.#replacement = replacement;
    this.#valid = valid;
    this.#anywhere = new RegExp(pattern.source, `${flags}g`);
    this.#here = new RegExp(pattern.source, `${flags}y`);
  }

  find(text: string, from: number, until: number): Found | undefined {
    const pattern = this.#anywhere;
    for (let at = from; at < until; ) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null || match.index >= until) return undefined;
      const start = match.index;
      const end = start + this.#lengthAt(text, start, match[0].length);
      if (start >= at && end > start && this.#valid?.(text.slice(start, end)) !== false) {
        return { start, end, replacement: this.#replacement };
      }
      // With the flag `u` a search from within a character finds that character again.
      at = start < at ? at + 1 : start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
    }
    return undefined;
  }

  /** What is found of a match that is too long does not depend on text further on than is allowed for. */
  #lengthAt(text: string, start: number, length: number): number {
    if (length <= this.maxLength) return length;
    const pattern = this.#here;
    pattern.lastIndex = start;
    return pattern.exec(text.slice(0, start + this.maxLength))?.[0].length ?? 0;
  }
}
