import { type OutlineEntry, outlineEntries } from '../engine/outline.js';
import type { PdfFile } from '../engine/pdf-file.js';
import { PdfFailure } from '../pdf-fault.js';
import type { PdfJob, PdfPart, SectionCut } from '../pdf-job.js';
import { laidOutPages } from './laid-out-pages.js';
import { lineOfEntry } from './line-of-entry.js';
import { OpenPart, pageFacts } from './open-part.js';
import { numbers, pageParts } from './page-parts.js';

/** A part for each entry of the outline: from its place to that of the next one. What comes before the first is a part without a title. */
export async function* sectionParts(file: PdfFile, job: PdfJob, cut: SectionCut): AsyncGenerator<PdfPart> {
  const entries = await outlineEntries(file, cut.maxLevel);
  if (entries.length === 0) {
    if (cut.withoutOutline === 'error') throw new PdfFailure({ reason: 'no_outline' });
    yield* pageParts(file, job, { by: 'pages', pagesPerDocument: 1, ranges: [] });
    return;
  }
  const byPage = new Map<number, OutlineEntry[]>();
  for (const entry of entries) byPage.set(entry.page, [...(byPage.get(entry.page) ?? []), entry]);
  const facts = await pageFacts(file, job);
  let open = new OpenPart(job, 1);
  for await (const page of laidOutPages(file, numbers(1, file.pageCount), job)) {
    const { content, lines } = page;
    let from = 0;
    let found = 0;
    const starts = (byPage.get(content.number) ?? []).map((entry) => {
      found = lineOfEntry(entry, page, found);
      return { entry, at: found };
    });
    // The page's faults and images go to the part that it begins with.
    const images = await facts.images(content.number);
    let about = { content, images };
    for (const { entry, at } of starts.sort((a, b) => a.at - b.at)) {
      if (at > from) {
        open.add(about.content, lines.slice(from, at), about.images);
        about = { content: { ...content, fault: undefined }, images: [] };
      }
      yield* open.close(facts.labels, true);
      open = new OpenPart(job, content.number, titles(entry));
      from = at;
    }
    open.add(about.content, lines.slice(from), about.images);
  }
  yield* open.close(facts.labels, true);
}

function titles({ title, headings, level }: OutlineEntry): Record<string, string | number | string[]> {
  return { title, headings: [...headings], level };
}
