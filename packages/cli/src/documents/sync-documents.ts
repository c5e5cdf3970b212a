import { rm, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { type IngestLedger, type Logger, throwIfAborted, VernalError } from '@vernal/core';
import { type IngestReport, type IngestSource, ingest, removeSources, resourceVersion } from '@vernal/etl';
import { FileIngestLedger, fileResource } from '@vernal/node';
import type { SimpleVectorStore } from '@vernal/vector-store';
import type { Progress } from '../output/progress.js';
import { usageError } from '../usage-error.js';
import { DocumentFileReader } from './document-file-reader.js';
import type { DocumentFile } from './document-files.js';
import type { LeftOut, Omissions } from './left-out.js';
import { PASSAGES_VERSION, passageSplitter } from './passages.js';
import type { StoreFile } from './store-file.js';

/** What a run has changed. */
export interface Synced extends Omit<IngestReport, 'failed' | 'resumed' | 'deleted'>, Omissions {}

/** What it works with. */
export interface SyncOptions {
  /** As they were named on the command line: of the files below them those that are gone are deleted. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Names of sources are relative to it. */
  readonly sourcesFrom: string;
  readonly storeFile: StoreFile;
  readonly progress: Progress;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const BATCH = 64;

/** The file that remembers what is in a store. */
export function ledgerPath({ path }: StoreFile): string {
  return `${path}.ledger`;
}

/**
 * The ledger of a store file. A ledger whose store is gone knows of nothing any more, and is begun anew.
 *
 * @throws VernalError `usage` for a store that was made without one: what it holds would be there twice
 */
export async function openLedger(file: StoreFile, isStoreThere: boolean): Promise<FileIngestLedger> {
  const path = ledgerPath(file);
  const isLedgerThere = await isFile(path);
  if (isStoreThere && !isLedgerThere)
    throw usageError(`${file.name} was made without --sync: leave --sync out, or name a new store`, 'sync');
  if (!isStoreThere && isLedgerThere) await rm(path);
  return new FileIngestLedger(path);
}

/** Is the store one that --sync keeps in line? */
export function isSynced(file: StoreFile): Promise<boolean> {
  return isFile(ledgerPath(file));
}

/** Brings the store in line with the files: what is new or has changed is read, what is gone is deleted, what cannot be read is left out. */
export async function syncDocuments(
  files: readonly DocumentFile[],
  store: SimpleVectorStore,
  ledger: IngestLedger,
  options: SyncOptions,
): Promise<Synced> {
  const { progress, logger, signal } = options;
  await using reader = new DocumentFileReader();
  let settled = 0;
  let written = 0;
  const save = async (): Promise<void> => {
    await store.save(fileResource(options.storeFile.path), { signal });
  };
  const shared = {
    ledger,
    target: store,
    transform: passageSplitter(),
    batchSize: BATCH,
    flush: save,
    logger: aboutRun(logger),
    signal,
  };
  try {
    const {
      failed,
      resumed: _,
      deleted: __,
      ...counts
    } = await ingest(
      files.map((file) => sourceOf(file, reader, signal)),
      {
        ...shared,
        version: PASSAGES_VERSION,
        onProgress: (event) => {
          if (event.type === 'source') settled += 1;
          else written += 1;
          progress.show(settled, files.length, `files looked at, ${written} batches stored`);
        },
      },
    );
    const { removed } = await removeSources(await gone(files, ledger, options), shared);
    // A store of nothing is a store, too.
    await save();
    const skipped = failed.map(({ source, error }) => ({ source, reason: reasonOf(error) }));
    return { ...counts, removed, skipped: inOrder(skipped, files), partial: inOrder(reader.partial, files) };
  } finally {
    progress.clear();
  }
}

/** Several files are read at once, and told of in the order of their names. */
function inOrder(left: readonly LeftOut[], files: readonly DocumentFile[]): LeftOut[] {
  const places = new Map(files.map(({ source }, at) => [source, at]));
  const placeOf = ({ source }: LeftOut): number => places.get(source) ?? files.length;
  return [...left].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Without what is said of each file that was left out: that is told at the end, with the reason. */
function aboutRun(logger: Logger): Logger {
  return {
    ...logger,
    warn: (message, data) => (data !== undefined && 'source' in data ? logger.debug : logger.warn)(message, data),
  };
}

function sourceOf(file: DocumentFile, reader: DocumentFileReader, signal: AbortSignal): IngestSource {
  return {
    id: file.source,
    version: (context) => resourceVersion(fileResource(file.path), context),
    reader: { stream: (context) => reader.read(file, context?.signal ?? signal) },
  };
}

/** Sources below the paths that are no longer there; what other runs put into the store from elsewhere stays. */
async function gone(
  files: readonly DocumentFile[],
  ledger: IngestLedger,
  { paths, cwd, sourcesFrom, signal }: SyncOptions,
): Promise<string[]> {
  const present = new Set(files.map(({ source }) => source));
  const folders = paths.map((path) => resolve(cwd, path));
  const isBelow = (source: string): boolean => {
    const path = resolve(sourcesFrom, source);
    return folders.some((folder) => {
      const way = relative(folder, path);
      return way === '' || !(way.startsWith('..') || isAbsolute(way));
    });
  };
  const found: string[] = [];
  for (let after: string | undefined; ; ) {
    throwIfAborted(signal);
    const page = await ledger.sources({ after }, { signal });
    found.push(...page.filter((source) => !present.has(source) && isBelow(source)));
    after = page.at(-1);
    if (after === undefined) return found;
  }
}

/** The words behind the file's name. */
function reasonOf(error: unknown): string {
  if (VernalError.is(error)) return error.message;
  return error instanceof Error ? error.name : 'Error';
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}
