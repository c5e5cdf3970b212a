import type { CallContext, Document, Resource } from '@vernal/core';
import { document, throwIfAborted, untilAborted } from '@vernal/core';
import { partIds, readBytes, sourceMetadata } from '@vernal/core/adapter';
import { pdfParts } from './parts/pdf-parts.js';
import { PdfFailure, pdfError } from './pdf-fault.js';
import type { PdfPart } from './pdf-job.js';
import type { ReadingPlan } from './pdf-reader-options.js';
import { PdfWorkerPool } from './pdf-worker-pool.js';
import { hasThreads } from './worker-thread.js';

/** The documents of a file, one after the other. */
export async function* pdfDocuments(
  resource: Resource,
  plan: ReadingPlan,
  context: CallContext | undefined,
): AsyncGenerator<Document> {
  const signal = context?.signal;
  throwIfAborted(signal);
  const source = sourceMetadata(resource);
  let index = 0;
  try {
    // In memory of our own, which can be handed to another thread.
    const bytes = new Uint8Array(await readBytes(resource, plan.maxFileBytes, context));
    const idOf = await idsFor(bytes, resource, plan);
    throwIfAborted(signal);
    for await (const { text, metadata } of partsOf(bytes, plan, signal)) {
      throwIfAborted(signal);
      yield document({ id: idOf(index++), text, metadata: { ...source, ...metadata, ...plan.metadata } });
    }
    throwIfAborted(signal);
  } catch (error) {
    throwIfAborted(signal);
    throw error instanceof PdfFailure ? pdfError(error, resource) : error;
  }
}

async function* partsOf(
  bytes: Uint8Array<ArrayBuffer>,
  { job, threadLimits, worker }: ReadingPlan,
  signal: AbortSignal | undefined,
): AsyncGenerator<PdfPart> {
  if (typeof worker === 'object') yield* worker.read(bytes, job, threadLimits, signal);
  else if (worker && hasThreads()) yield* new PdfWorkerPool({ maxIdle: 0 }).read(bytes, job, threadLimits, signal);
  else {
    yield* pdfParts(bytes, job, {
      wait: (work) => untilAborted(work, signal),
      begins: () => throwIfAborted(signal),
      wasTooLarge: () => false,
    });
  }
}

/** Made of the file, where it comes from, and how it is cut; the password, and what only decides how it is read, do not count. */
async function idsFor(
  bytes: Uint8Array<ArrayBuffer>,
  resource: Resource,
  { job }: ReadingPlan,
): Promise<(index: number) => string> {
  // A hash of the hash: the file is not copied for it.
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  const { layout, joinHyphenated, topMargin, bottomMargin, topLines, bottomLines, pagesBeforeDeletion } = job;
  const { dropRepeatedLines, cut } = job;
  const margins = { topMargin, bottomMargin, topLines, bottomLines, pagesBeforeDeletion };
  const options = JSON.stringify({ layout, joinHyphenated, ...margins, dropRepeatedLines, cut });
  return partIds(hash, { ...sourceMetadata(resource), options });
}
