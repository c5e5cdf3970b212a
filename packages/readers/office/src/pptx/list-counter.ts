import { letters, roman } from '../text/number-format.js';

/** Numbers the paragraphs of one text by their level, as PowerPoint does. Source: ECMA-376 part 1, 20.1.10.61. */
export class ListCounter {
  readonly #counts: { readonly type: string; count: number }[] = [];

  /** `type` such as 'arabicPeriod' or 'alphaLcParenR'. */
  next(level: number, type: string, start: number): string {
    this.end(level + 1);
    const before = this.#counts[level];
    const count = before?.type === type ? before.count + 1 : start;
    this.#counts[level] = { type, count };
    return around(formatted(count, type), type);
  }

  /** Lists of this level and below begin anew. */
  end(level: number): void {
    this.#counts.length = Math.min(this.#counts.length, level);
  }
}

function formatted(count: number, type: string): string {
  if (type.startsWith('alphaLc')) return letters(count);
  if (type.startsWith('alphaUc')) return letters(count).toUpperCase();
  if (type.startsWith('romanLc')) return roman(count);
  if (type.startsWith('romanUc')) return roman(count).toUpperCase();
  return String(count);
}

function around(number: string, type: string): string {
  if (type.endsWith('ParenBoth')) return `(${number})`;
  if (type.endsWith('ParenR')) return `${number})`;
  return type.endsWith('Plain') ? number : `${number}.`;
}
