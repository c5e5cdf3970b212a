import type { Document } from '@vernal/core';

export interface Source {
  /** As in the answer: 1 is the first. */
  readonly index: number;
  readonly source: string;
  readonly title: string | undefined;
  readonly score: number | undefined;
}

/** The sources that an answer cites as [n]; all that it was given when it cites none and the model may answer in its own words. */
export function citedSources(answer: string, documents: readonly Document[], mayNotCite: boolean): Source[] {
  const cited = new Set(
    [...answer.matchAll(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g)].flatMap((match) =>
      (match[1] ?? '').split(',').map(Number),
    ),
  );
  const all = documents.map((document, position): Source => {
    const { title, headings, source } = document.metadata;
    const path = Array.isArray(headings) && headings.length > 0 ? headings.map(String).join(' › ') : title;
    return {
      index: position + 1,
      source: typeof source === 'string' ? source : document.id,
      title: typeof path === 'string' && path !== '' ? path : undefined,
      score: document.score,
    };
  });
  const found = all.filter(({ index }) => cited.has(index));
  return found.length > 0 ? found : mayNotCite ? all : [];
}

export function sourceLines(sources: readonly Source[]): string {
  return sources
    .map(({ index, source, title }) => `[${index}] ${source}${title === undefined ? '' : ` — ${title}`}\n`)
    .join('');
}
