import { dirname } from 'node:path';
import { fileResource } from '@vernal/node';
import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { documentFiles } from '../documents/document-files.js';
import { indexDocuments } from '../documents/index-documents.js';
import { isStoreThere, openStore, requireStore, storeFile } from '../documents/store-file.js';
import type { Interruption } from '../interruption.js';
import { chooseEmbeddingModel, createEmbeddingModel } from '../models/choose-embedding-model.js';
import { progressOn } from '../output/progress.js';
import { stderrLogger } from '../output/stderr-logger.js';
import { writeLine } from '../output/write-line.js';
import { indexedText } from '../session.js';
import { usageError } from '../usage-error.js';

/** `vernal ingest`: documents into a store file, which is written aside and then renamed, so that it is the old one or the new one. */
export async function ingest(args: readonly string[], io: CliIo, { signal }: Interruption): Promise<number> {
  const given = commandArguments('ingest', args, ['store']);
  const paths = given.positionals;
  if (paths.length === 0) throw usageError('No document found: name the files or folders to ingest', 'docs');
  if (given.store === undefined) throw usageError('Say where the store is to be: add --store FILE', 'store');
  const logger = stderrLogger(io, given.verbose);
  const file = storeFile(given.store, io.cwd);
  const isThere = await isStoreThere(file);
  if (isThere) await requireStore(file);
  const files = await documentFiles(paths, {
    cwd: io.cwd,
    sourcesFrom: dirname(file.path),
    except: file.path,
    signal,
  });
  const choice = chooseEmbeddingModel(given.embeddingModel, io.env);
  const embeddingModel = await createEmbeddingModel(choice, io.env, logger);
  await using store = await openStore(isThere ? file : undefined, { embeddingModel, logger, signal });
  if (!given.json) writeLine(io.stderr, `Reading ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
  const progress = progressOn(given.json ? undefined : io.stderr);
  const indexed = await indexDocuments(files, store, { progress, logger, signal });
  await store.save(fileResource(file.path), { signal });
  if (given.json) writeLine(io.stdout, { type: 'ingested', store: file.name, total: store.size, ...indexed });
  else writeLine(io.stdout, `Ingested ${indexedText(indexed)} into ${file.name}, which holds ${store.size} now`);
  return 0;
}
