import type { Metadata } from '@vernal/core';
import { PdfFile } from '../engine/pdf-file.js';
import type { PdfHost } from '../engine/pdf-host.js';
import { infoMetadata } from '../engine/pdf-info.js';
import { PdfFailure } from '../pdf-fault.js';
import type { PdfJob, PdfPart } from '../pdf-job.js';
import { pageParts } from './page-parts.js';
import { sectionParts } from './section-parts.js';

/** The parts of a file, each made when it is asked for. Takes the bytes: they are not to be used afterwards. */
export async function* pdfParts(bytes: Uint8Array, job: PdfJob, host: PdfHost): AsyncGenerator<PdfPart> {
  const file = await PdfFile.open(bytes, job, host);
  try {
    if (file.pageCount > job.maxPages) throw new PdfFailure({ reason: 'too_many_pages' });
    const shared: Metadata = { total_pages: file.pageCount, ...(await infoMetadata(file)) };
    const parts = job.cut.by === 'pages' ? pageParts(file, job, job.cut) : sectionParts(file, job, job.cut);
    for await (const { text, metadata } of parts) yield { text, metadata: { ...metadata, ...shared } };
  } finally {
    await file.close();
  }
}
