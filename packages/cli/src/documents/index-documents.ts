import { type Document, type Logger, VernalError } from '@vernal/core';
import { etl } from '@vernal/etl';
import { filter, type SimpleVectorStore } from '@vernal/vector-store';
import type { Progress } from '../output/progress.js';
import { usageError } from '../usage-error.js';
import { DocumentFileReader } from './document-file-reader.js';
import type { DocumentFile } from './document-files.js';
import type { LeftOut, Omissions } from './left-out.js';
import { passageSplitter } from './passages.js';

export interface Indexed extends Omissions {
  /** Those that were read. */
  readonly files: number;
  readonly passages: number;
  readonly milliseconds: number;
}

export interface IndexOptions {
  readonly progress: Progress;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const BATCH = 64;

/**
 * Reads, splits, embeds and stores. What the store held of a file before is replaced. A file of a folder that cannot be read is left out and
 * keeps what the store had of it, unless there is no other; one that was named is an error. Files without any text are a usage error.
 */
export async function indexDocuments(
  files: readonly DocumentFile[],
  store: SimpleVectorStore,
  { progress, logger, signal }: IndexOptions,
): Promise<Indexed> {
  const started = performance.now();
  const isFilled = store.size > 0;
  await using reader = new DocumentFileReader();
  const skipped: LeftOut[] = [];
  let firstFault: unknown;
  let settled = 0;
  let stored = 0;
  const show = (): void => progress.show(settled, files.length, `files read, ${stored} passages stored`);
  /** All that a file holds, or nothing of it. */
  async function whole(file: DocumentFile): Promise<Document[] | undefined> {
    const read: Document[] = [];
    try {
      for await (const document of reader.read(file, signal)) read.push(document);
      return read;
    } catch (error) {
      if (signal.aborted || file.isNamed || !VernalError.is(error)) throw error;
      firstFault ??= error;
      skipped.push({ source: file.source, reason: error.message });
      return undefined;
    }
  }
  async function* documents(): AsyncGenerator<Document> {
    for (const file of files) {
      const read = await whole(file);
      settled += 1;
      show();
      if (read === undefined) continue;
      if (isFilled) await store.delete({ filter: filter.eq('source', file.source) }, { signal });
      yield* read;
      logger.debug('read', { source: file.source });
    }
  }
  try {
    await etl(documents())
      .transform(passageSplitter())
      .write(store, {
        batchSize: BATCH,
        signal,
        onProgress({ written }) {
          stored = written;
          show();
        },
      });
  } finally {
    progress.clear();
  }
  if (skipped.length === files.length && firstFault !== undefined) throw firstFault;
  if (stored === 0) {
    throw usageError('No document found: the files hold no text; name files that do', 'docs');
  }
  const milliseconds = Math.round(performance.now() - started);
  return { files: files.length - skipped.length, passages: stored, milliseconds, skipped, partial: reader.partial };
}
