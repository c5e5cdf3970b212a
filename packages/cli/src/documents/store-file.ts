import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type EmbeddingModel, type Logger, VernalError } from '@vernal/core';
import { fileResource } from '@vernal/node';
import { SimpleVectorStore } from '@vernal/vector-store';
import { usageError } from '../usage-error.js';

/** A store file as the user names it. */
export interface StoreFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export function storeFile(name: string, cwd: string): StoreFile {
  return { name, path: resolve(cwd, name) };
}

/** A store in memory with what the file holds; an empty one without a file. */
export async function openStore(
  file: StoreFile | undefined,
  options: { readonly embeddingModel: EmbeddingModel; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<SimpleVectorStore> {
  const { embeddingModel, logger, signal } = options;
  const store = new SimpleVectorStore({ embeddingModel, logger });
  if (file === undefined) return store;
  try {
    await store.load(fileResource(file.path), { signal });
    return store;
  } catch (error) {
    await store.close();
    signal.throwIfAborted();
    throw storeFault(file.name, error);
  }
}

/** Is there a file? What cannot be one is a usage error before any document is read. */
export async function isStoreThere({ name, path }: StoreFile): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isDirectory()) throw usageError(`${name} is a folder: --store takes a file`, 'store');
  if (info !== undefined) return true;
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory()) return false;
  throw usageError(`There is no folder for ${name}: make it first, or name another place with --store`, 'store');
}

function storeFault(name: string, error: unknown): unknown {
  if (!VernalError.is(error) || error.code !== 'store_read') return error;
  const difference = modelDifference(error.details);
  const fault =
    difference === undefined
      ? `${name} is no store that can be read: name another file with --store, or ingest the documents again into a new one`
      : `The store was made with another embedding model: ${name} holds vectors of ${difference}; name that model with --embedding-model, or ingest the documents again into a new file`;
  return new VernalError(`${fault}.`, { code: 'store_read', subject: 'store', cause: error });
}

function modelDifference({ given, held, givenModel, heldModel }: VernalError['details']): string | undefined {
  if (typeof heldModel === 'string') return `${heldModel} and this model is ${String(givenModel)}`;
  return typeof held === 'number' ? `${held} dimensions and this model makes ${String(given)}` : undefined;
}
