import { dirname } from 'node:path';
import type { Logger } from '@vernal/core';
import type { SimpleVectorStore } from '@vernal/vector-store';
import type { CommandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { chooseEmbeddingModel, createEmbeddingModel } from '../models/choose-embedding-model.js';
import { progressOn } from '../output/progress.js';
import { usageError } from '../usage-error.js';
import { documentFiles } from './document-files.js';
import { type Indexed, indexDocuments } from './index-documents.js';
import { omissionLines } from './left-out.js';
import { isStoreThere, openStore, storeFile } from './store-file.js';

/** What `--docs` and `--store` name. */
export interface Documents {
  readonly store: SimpleVectorStore;
  readonly sources?: ReadonlySet<string> | undefined;
  readonly indexed?: Indexed | undefined;
}

/** Are there any to be? */
export function hasDocuments({ docs, store }: CommandArguments): boolean {
  return docs.length > 0 || store !== undefined;
}

/** Opens the store and indexes the documents. Closing the store is the caller's. */
export async function openDocuments(
  given: CommandArguments,
  io: CliIo,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<Documents> {
  const file = given.store === undefined ? undefined : storeFile(given.store, io.cwd);
  if (file !== undefined && !(await isStoreThere(file))) {
    throw usageError(`There is no store at ${file.name}: make one with 'vernal ingest PATH… --store FILE'`, 'store');
  }
  const files = await documentFiles(given.docs, {
    cwd: io.cwd,
    sourcesFrom: file && dirname(file.path),
    except: file?.path,
    signal,
  });
  const choice = chooseEmbeddingModel(given.embeddingModel, io.env);
  const embeddingModel = await createEmbeddingModel(choice, io.env, logger);
  const store = await openStore(file, { embeddingModel, logger, signal });
  try {
    if (file !== undefined && store.size === 0) {
      throw usageError(`The store ${file.name} is empty: ingest documents first`, 'store');
    }
    if (files.length === 0) return { store };
    const progress = progressOn(given.json ? undefined : io.stderr);
    const indexed = await indexDocuments(files, store, { progress, logger, signal });
    const skipped = new Set(indexed.skipped.map(({ source }) => source));
    const read = files.map(({ source }) => source).filter((source) => !skipped.has(source));
    return { store, sources: file === undefined ? new Set(read) : undefined, indexed };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What was left out, and how much was not. */
export function indexedLines(indexed: Indexed): readonly string[] {
  return [...omissionLines(indexed), `Indexed ${indexedText(indexed)}`];
}

/** '12 passages of 1 file in 0.1 s' */
export function indexedText({ files, passages, milliseconds }: Indexed): string {
  const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
  return `${count(passages, 'passage')} of ${count(files, 'file')} in ${(milliseconds / 1000).toFixed(1)} s`;
}
