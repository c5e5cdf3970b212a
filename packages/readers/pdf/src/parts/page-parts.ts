import type { PdfFile } from '../engine/pdf-file.js';
import type { PageCut, PdfJob, PdfPageRange, PdfPart } from '../pdf-job.js';
import { laidOutPages } from './laid-out-pages.js';
import { OpenPart, pageFacts } from './open-part.js';

/** A part for so many pages. Pages that are not wanted end a part; pages with nothing on them make none. */
export async function* pageParts(file: PdfFile, job: PdfJob, cut: PageCut): AsyncGenerator<PdfPart> {
  const facts = await pageFacts(file, job);
  for (const { start, end } of cut.ranges.length === 0 ? [{ start: 1, end: file.pageCount }] : cut.ranges) {
    const last = Math.min(end, file.pageCount);
    let open = new OpenPart(job, start);
    let pages = 0;
    for await (const { content, lines } of laidOutPages(file, numbers(start, last), job)) {
      if (pages === 0) open = new OpenPart(job, content.number);
      pages++;
      open.add(content, lines, await facts.images(content.number));
      open.covers(content.number);
      if (pages === cut.pagesPerDocument || content.number === last) {
        yield* open.close(facts.labels);
        pages = 0;
      }
    }
  }
}

export function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}

/** In order, joined where they touch or overlap. */
export function mergedRanges(ranges: readonly PdfPageRange[]): PdfPageRange[] {
  const merged: PdfPageRange[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const before = merged.at(-1);
    if (before !== undefined && start <= before.end + 1)
      merged[merged.length - 1] = { start: before.start, end: Math.max(before.end, end) };
    else merged.push({ start, end });
  }
  return merged;
}
