import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type EmbeddingModel, type Logger, VernalError } from '@vernal/core';
import { fileResource } from '@vernal/node';
import { SimpleVectorStore } from '@vernal/vector-store';
import { embeddingProviders } from '../models/provider-name.js';
import { usageError } from '../usage-error.js';

/** What a file that `SimpleVectorStore.save` wrote begins with. */
const MAGIC = 'VERNALVS';

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

/** What is to be written over has to be a store: a file of somebody else's may look like an empty one of another format. */
export async function requireStore(file: StoreFile): Promise<void> {
  const isStore = (await stat(file.path)).isFile() && (await beginning(file)) === MAGIC;
  if (!isStore) throw usageError(`${file.name} is not a store of Vernal: name another file`, 'store');
}

async function beginning({ name, path }: StoreFile): Promise<string> {
  const file = await open(path).catch((cause: unknown) => {
    throw new VernalError(`${name} cannot be opened: check its permissions.`, {
      code: 'usage',
      subject: 'store',
      cause,
    });
  });
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function storeFault(name: string, error: unknown): unknown {
  if (!VernalError.is(error) || error.code !== 'store_read') return error;
  const difference = modelDifference(error.details);
  const fault =
    difference === undefined
      ? `${name} is no store that can be read: name another file with --store, or ingest the documents again into a new one`
      : `The store was made with another embedding model: ${name} holds vectors of ${difference}; ${remedy(error.details)}ingest the documents again into a new file`;
  return new VernalError(`${fault}.`, { code: 'store_read', subject: 'store', cause: error });
}

function modelDifference({ given, held, givenModel, heldModel }: VernalError['details']): string | undefined {
  if (typeof held === 'number') return `${held} dimensions and this model makes ${String(given)}`;
  return typeof heldModel === 'string' ? `${heldModel} and this model is ${String(givenModel)}` : undefined;
}

/** The option that fits the store; nothing where no value of it does, as for an embedded model of another release. */
function remedy({ heldProvider, heldModel, givenProvider, givenModel }: VernalError['details']): string {
  if (heldProvider === undefined) return 'name its model with --embedding-model, or ';
  if (heldProvider === 'local') {
    return givenProvider === 'local' ? '' : 'write --embedding-model local, or leave that option out, or ';
  }
  const provider = embeddingProviders.find((one) => one === heldProvider);
  if (provider === undefined || (provider === givenProvider && heldModel === givenModel)) return '';
  const model = typeof heldModel === 'string' ? heldModel : 'name';
  return `write --embedding-model ${provider}:${model}, or `;
}
