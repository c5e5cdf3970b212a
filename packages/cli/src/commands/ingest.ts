import { resolve } from 'node:path';
import { fileResource } from '@vernal/node';
import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { documentFiles } from '../documents/document-files.js';
import { indexDocuments } from '../documents/index-documents.js';
import { openStore } from '../documents/open-store.js';
import { chooseEmbeddingModel, createEmbeddingModel } from '../models/choose-embedding-model.js';
import { progressOf } from '../output/progress.js';
import { usageError } from '../usage-error.js';

/** `vernal ingest`: documents into a store file, which is written aside and then renamed. */
export async function ingest(args: readonly string[], io: CliIo, signal: AbortSignal): Promise<number> {
  const given = commandArguments('ingest', args, ['store']);
  if (given.positionals.length === 0)
    throw usageError('No document found: name the files or folders to ingest', 'docs');
  if (given.store === undefined) throw usageError('Say where the store is to be: add --store FILE', 'store');
  const files = await documentFiles(given.positionals, io.cwd, signal);
  const embeddingModel = await createEmbeddingModel(chooseEmbeddingModel(given.embeddingModel), io.env);
  const store = await openStore(given.store, embeddingModel, { cwd: io.cwd, mustExist: false, signal });
  try {
    const indexed = await indexDocuments(files, store, progressOf(io, given.json), signal);
    await store.save(fileResource(resolve(io.cwd, given.store)), { signal });
    if (given.json)
      io.stdout.write(`${JSON.stringify({ type: 'ingested', store: given.store, total: store.size, ...indexed })}\n`);
    else {
      io.stdout.write(
        `Ingested ${indexed.passages} passages of ${indexed.files} files into ${given.store} in ${(indexed.milliseconds / 1000).toFixed(1)} s; it holds ${store.size}\n`,
      );
    }
    return 0;
  } finally {
    await store.close();
  }
}
