import { dirname } from 'node:path';
import { fileResource } from '@vernal/node';
import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { documentFiles } from '../documents/document-files.js';
import { indexDocuments } from '../documents/index-documents.js';
import { type Omissions, omissionLines } from '../documents/left-out.js';
import { indexedText } from '../documents/open-documents.js';
import { isStoreThere, openStore, requireStore, storeFile } from '../documents/store-file.js';
import { isSynced, openLedger, type Synced, syncDocuments } from '../documents/sync-documents.js';
import type { Interruption } from '../interruption.js';
import { chooseEmbeddingModel, createEmbeddingModel } from '../models/choose-embedding-model.js';
import { progressOn } from '../output/progress.js';
import { stderrLogger } from '../output/stderr-logger.js';
import { printable, writeLine } from '../output/write-line.js';
import { usageError } from '../usage-error.js';

/** `vernal ingest`: documents into a store file, which is written aside and then renamed, so that it is the old one or the new one. */
export async function ingest(args: readonly string[], io: CliIo, { signal }: Interruption): Promise<number> {
  const given = commandArguments('ingest', args, ['store'], { sync: { type: 'boolean' } });
  const paths = given.positionals;
  if (paths.length === 0) throw usageError('No document found: name the files or folders to ingest', 'docs');
  if (given.store === undefined) throw usageError('Say where the store is to be: add --store FILE', 'store');
  const logger = stderrLogger(io, given.verbose);
  const file = storeFile(given.store, io.cwd);
  const isThere = await isStoreThere(file);
  if (isThere) await requireStore(file);
  const sync = given.flag('sync');
  if (!sync && isThere && (await isSynced(file)))
    throw usageError(
      `${file.name} is kept in line with its files by --sync: add --sync, or name another store`,
      'sync',
    );
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
  if (sync) {
    await using ledger = await openLedger(file, isThere);
    const options = { paths, cwd: io.cwd, sourcesFrom: dirname(file.path), storeFile: file, progress, logger, signal };
    return tellSynced(await syncDocuments(files, store, ledger, options), store.size, file.name, given.json, io);
  }
  const indexed = await indexDocuments(files, store, { progress, logger, signal });
  await store.save(fileResource(file.path), { signal });
  if (given.json) writeLine(io.stdout, { type: 'ingested', store: file.name, total: store.size, ...indexed });
  else {
    for (const line of omissionLines(indexed)) writeLine(io.stderr, printable(line));
    writeLine(io.stdout, `Ingested ${indexedText(indexed)} into ${file.name}, which holds ${store.size} now`);
  }
  return codeOf(indexed);
}

/** What could not be read is told file by file, and is no success. */
function codeOf({ skipped, partial }: Omissions): number {
  return skipped.length + partial.length > 0 ? 1 : 0;
}

const COUNTS = { added: 'new', changed: 'changed', unchanged: 'unchanged', removed: 'gone' } as const;

function tellSynced(synced: Synced, total: number, store: string, json: boolean, io: CliIo): number {
  const { skipped, partial } = synced;
  if (json) writeLine(io.stdout, { type: 'synced', store, total, ...synced });
  else {
    for (const line of omissionLines(synced)) writeLine(io.stderr, printable(line));
    const counts = Object.entries(COUNTS).map(([key, word]) => `${synced[key as keyof typeof COUNTS]} ${word}`);
    if (skipped.length > 0) counts.push(`${skipped.length} left out`);
    if (partial.length > 0) counts.push(`${partial.length} read in part`);
    writeLine(
      io.stdout,
      `Files: ${counts.join(', ')}; ${store} holds ${total} ${total === 1 ? 'passage' : 'passages'} now`,
    );
  }
  return codeOf(synced);
}
