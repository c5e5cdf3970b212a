import type { TextFilter } from './text-filter.js';

/** Stands-in for what was redacted, one for each different text. They end in a bracket, so none begins with another. */
export class Placeholders {
  readonly #originals = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #texts: string;
  /** Made when the first filter is, for by then every text was read. */
  #beginnings: ReadonlySet<string> | undefined;

  /** `texts`: all that the model will read; a placeholder that somebody wrote there is not used. */
  constructor(texts: string) {
    this.#texts = texts;
  }

  get isEmpty(): boolean {
    return this.#originals.size === 0;
  }

  of(original: string, replacement: string): string {
    const key = `${replacement}\n${original}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let placeholder: string;
    do {
      const count = (this.#counts.get(replacement) ?? 0) + 1;
      this.#counts.set(replacement, count);
      placeholder = numbered(replacement, count);
    } while (this.#texts.includes(placeholder) || this.#originals.has(placeholder));
    this.#known.set(key, placeholder);
    this.#originals.set(placeholder, original);
    return placeholder;
  }

  /** Puts originals back; `spell` writes them as the text around them needs. */
  restoring(spell: (original: string) => string): TextFilter {
    this.#beginnings ??= beginningsOf(this.#originals.keys());
    return new RestoringFilter(this.#originals, this.#beginnings, spell);
  }
}

function numbered(replacement: string, count: number): string {
  const bracket = /[\])}>]$/.exec(replacement)?.[0];
  return bracket === undefined ? `[${replacement}_${count}]` : `${replacement.slice(0, -1)}_${count}${bracket}`;
}

/** Every beginning of every placeholder, the whole one apart: what a text may end with and still become one. */
function beginningsOf(placeholders: Iterable<string>): ReadonlySet<string> {
  const beginnings = new Set<string>();
  for (const placeholder of placeholders) {
    for (let end = 1; end < placeholder.length; end++) beginnings.add(placeholder.slice(0, end));
  }
  return beginnings;
}

/** Holds back what may become a placeholder, and nothing else. A character costs the same however many placeholders there are. */
class RestoringFilter implements TextFilter {
  readonly #originals: ReadonlyMap<string, string>;
  readonly #beginnings: ReadonlySet<string>;
  readonly #spell: (original: string) => string;
  /** The beginning of a placeholder. */
  #held = '';

  constructor(
    originals: ReadonlyMap<string, string>,
    beginnings: ReadonlySet<string>,
    spell: (original: string) => string,
  ) {
    this.#originals = originals;
    this.#beginnings = beginnings;
    this.#spell = spell;
  }

  push(piece: string): string {
    let out = '';
    let held = this.#held;
    for (let i = 0; i < piece.length; i++) {
      held += piece[i];
      const original = this.#originals.get(held);
      if (original !== undefined) {
        out += this.#spell(original);
        held = '';
        continue;
      }
      // What cannot become one any more goes out, up to where one may begin.
      let from = 0;
      while (from < held.length && !this.#beginnings.has(held.slice(from))) from++;
      out += held.slice(0, from);
      held = held.slice(from);
    }
    this.#held = held;
    return out;
  }

  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
