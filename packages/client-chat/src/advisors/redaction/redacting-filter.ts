import type { PatternScanner } from './pattern-scanner.js';
import type { TextFilter } from './text-filter.js';

/** Replaces matches; holds back as many characters as the longest match may have. */
export class RedactingFilter implements TextFilter {
  readonly #scanner: PatternScanner;
  readonly #replace: (match: string, replacement: string) => string;
  /** As much of what went out as patterns may look back at, then what did not go out yet. */
  #text = '';
  #at = 0;

  constructor(
    scanner: PatternScanner,
    replace: (match: string, replacement: string) => string = (_, replacement) => replacement,
  ) {
    this.#scanner = scanner;
    this.#replace = replace;
  }

  push(piece: string): string {
    this.#text += piece;
    const out = this.#advance(this.#text.length - this.#scanner.longest);
    const old = this.#at - this.#scanner.longest;
    if (old > 0) {
      this.#text = this.#text.slice(old);
      this.#at -= old;
    }
    return out;
  }

  end(): string {
    return this.#advance(this.#text.length);
  }

  /** Whether a match begins before `until` cannot change any more. */
  #advance(until: number): string {
    let out = '';
    for (const { start, end, replacement } of this.#scanner.scan(this.#text, this.#at, until)) {
      out += this.#text.slice(this.#at, start) + this.#replace(this.#text.slice(start, end), replacement);
      this.#at = end;
    }
    const stop = splitsCharacter(this.#text, until) ? until - 1 : until;
    if (stop > this.#at) {
      out += this.#text.slice(this.#at, stop);
      this.#at = stop;
    }
    return out;
  }
}

function splitsCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
