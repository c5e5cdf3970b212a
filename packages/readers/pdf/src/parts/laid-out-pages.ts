import type { PdfFile } from '../engine/pdf-file.js';
import { type LaidOutPage, layOut, type PageSketch, sketchOf, withoutEdges } from '../layout/page-layout.js';
import { withoutRepeatedRows } from '../layout/repeated-rows.js';
import type { PdfJob } from '../pdf-job.js';

/** These pages of the file, laid out as the job says, one at a time. */
export async function* laidOutPages(file: PdfFile, pages: Iterable<number>, job: PdfJob): AsyncGenerator<LaidOutPage> {
  const sketches = sketched(file, pages, job);
  for await (const sketch of job.dropRepeatedLines ? withoutRepeatedRows(sketches) : sketches) {
    const skips = sketch.content.number <= job.pagesBeforeDeletion;
    yield layOut(skips ? sketch : withoutEdges(sketch, job.topLines, job.bottomLines), job);
  }
}

async function* sketched(file: PdfFile, pages: Iterable<number>, job: PdfJob): AsyncGenerator<PageSketch> {
  for (const number of pages) yield sketchOf(await file.page(number), job);
}
