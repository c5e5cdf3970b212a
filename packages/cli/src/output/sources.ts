import type { Document } from '@vernal/core';

export interface Source {
  /** As in the answer: 1 is the first. */
  readonly index: number;
  readonly source: string;
  readonly title: string | undefined;
  /** From 1, of a file that has pages. */
  readonly page: number | undefined;
  readonly score: number | undefined;
  /** Does the answer name it? */
  readonly cited: boolean;
}

/** The documents that an answer was given, in the order of their numbers. */
export function sourcesOf(answer: string, documents: readonly Document[]): Source[] {
  const cited = citedNumbers(answer);
  return documents.map(({ id, metadata, score }, position) => ({
    index: position + 1,
    source: typeof metadata['source'] === 'string' ? metadata['source'] : id,
    title: typeof metadata['title'] === 'string' ? metadata['title'] : undefined,
    page: typeof metadata['page_number'] === 'number' ? metadata['page_number'] : undefined,
    score,
    cited: cited.has(position + 1),
  }));
}

/** The numbers in '[1]' and '[2, 3]'. */
function citedNumbers(answer: string): ReadonlySet<number> {
  const marks = answer.matchAll(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g);
  return new Set(Array.from(marks, ([, numbers = '']) => numbers.split(',').map(Number)).flat());
}

export function sourceLine({ index, source, title, page }: Source): string {
  const place = [title, page === undefined ? undefined : `page ${page}`].filter((one) => one !== undefined);
  return `[${index}] ${source}${place.length === 0 ? '' : ` — ${place.join(', ')}`}`;
}
