import { textSegments } from '@vernal/core/adapter';

/**
 * The longest beginning of a text that fits: whole sentences, else whole words of the first sentence, else whole characters of the first
 * word; '' where not even one fits. What fits is taken to fit when shortened. Looks at little more of a text than fits.
 */
export function cutText(text: string, fits: (beginning: string) => boolean): string {
  let rest = text;
  for (const granularity of ['sentence', 'word', 'grapheme'] as const) {
    const pieces = new TextBeginnings(rest, granularity);
    const beginning = longestFitting(pieces, fits);
    if (beginning !== '') return beginning;
    rest = pieces.first();
  }
  return '';
}

/** Beginnings of a text that end with one of its segments, cut as far as they are asked for. */
class TextBeginnings {
  readonly #text: string;
  readonly #segments: ReturnType<typeof textSegments>;
  readonly #ends: number[] = [];
  /** Of how many segments the first is that is not blank. */
  #first: number | undefined;

  constructor(text: string, granularity: 'sentence' | 'word' | 'grapheme') {
    this.#text = text;
    this.#segments = textSegments(text, granularity);
  }

  /** Of `count` segments, without white space behind it; undefined where there are not so many. */
  of(count: number): string | undefined {
    while (this.#ends.length < count && this.#read());
    return this.#ends.length < count ? undefined : this.#text.slice(0, this.#ends[count - 1] ?? 0).trimEnd();
  }

  /** The least that is not blank; '' where all is. */
  first(): string {
    while (this.#first === undefined && this.#read());
    return this.#first === undefined ? '' : (this.of(this.#first) ?? '');
  }

  #read(): boolean {
    const { value } = this.#segments.next();
    if (value === undefined) return false;
    this.#ends.push(value.end);
    if (this.#text.slice(value.start, value.end).trim() !== '') this.#first ??= this.#ends.length;
    return true;
  }
}

/** Doubles its steps before it halves them: a text much longer than what fits is never counted as a whole. */
function longestFitting(beginnings: TextBeginnings, fits: (beginning: string) => boolean): string {
  let longest = '';
  let count = 0;
  const grows = (by: number): boolean => {
    const beginning = beginnings.of(count + by);
    if (beginning === undefined || !fits(beginning)) return false;
    [longest, count] = [beginning, count + by];
    return true;
  };
  let step = 1;
  while (grows(step)) step *= 2;
  while (step > 1) {
    step /= 2;
    grows(step);
  }
  return longest;
}
