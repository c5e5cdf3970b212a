/**
 * Finds whole words in text, also in text that comes in pieces. Neither case matters, nor whether accents are characters of their own
 * (NFC or NFD), nor which white space stands between the words of a phrase.
 */
export class WordMatcher {
  readonly #pattern: RegExp;
  /** Every beginning of every word, folded: what a text may end with and still become a word. */
  readonly #beginnings = new Set<string>();
  readonly #longest: number;

  /** `words` are not blank. */
  constructor(words: readonly string[]) {
    const forms = words.flatMap((word) => [word.normalize('NFC'), word.normalize('NFD')]);
    this.#pattern = new RegExp(forms.map(wholeWord).join('|'), 'giu');
    const folded = forms.map((form) => Array.from(form, foldLetter).join(''));
    this.#longest = Math.max(...folded.map((word) => word.length));
    for (const word of folded) {
      for (let end = 1; end <= word.length; end++) this.#beginnings.add(word.slice(0, end));
    }
  }

  /**
   * True when a word begins at `from` or later. In a text that goes on, a word at its very end does not count yet: the next letter may
   * make it part of a longer one.
   */
  finds(text: string, from = 0, goesOn = false): boolean {
    const pattern = this.#pattern;
    pattern.lastIndex = from;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      if (!goesOn || pattern.lastIndex < text.length) return true;
    }
    return false;
  }

  /** Where the part of a text begins that more text could make a word of; the length of the text when there is none. */
  openFrom(text: string): number {
    let open = text.length;
    let at = open;
    let end = '';
    for (const letter of Array.from(text.slice(-this.#longest)).reverse()) {
      at -= letter.length;
      end = foldLetter(letter) + end;
      if (this.#beginnings.has(end)) open = at;
    }
    return open;
  }
}

/** As the pattern compares: letter by letter, for the lower case of a whole word depends on where a letter stands ('Σ'). */
function foldLetter(letter: string): string {
  if (letter.trim() === '') return ' ';
  const lower = letter.toLowerCase();
  const upper = lower.toUpperCase();
  return upper.length === lower.length ? upper.toLowerCase() : lower;
}

/** Scripts that are written without spaces, or glue particles to a word: there a letter beside a word is no part of it. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

const SPACED_LETTER = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]`;

function wholeWord(word: string): string {
  const spaced = new RegExp(`^${SPACED_LETTER}`, 'u');
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  const last = Array.from(word).at(-1) ?? '';
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s/g, '\\s');
  const before = spaced.test(first) ? `(?<!${SPACED_LETTER})` : '';
  const after = spaced.test(last) ? `(?!${SPACED_LETTER})` : '';
  return before + escaped + after;
}
