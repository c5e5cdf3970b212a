import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { EmbeddingModel } from '@vernal/core';
import { fileResource } from '@vernal/node';
import { SimpleVectorStore } from '@vernal/vector-store';
import { usageError } from '../usage-error.js';

/** A store in memory, filled from the file when one is named. `mustExist` is for commands that only read. */
export async function openStore(
  file: string | undefined,
  embeddingModel: EmbeddingModel,
  place: { readonly cwd: string; readonly mustExist: boolean; readonly signal?: AbortSignal | undefined },
): Promise<SimpleVectorStore> {
  const store = new SimpleVectorStore({ embeddingModel });
  if (file === undefined) return store;
  const path = resolve(place.cwd, file);
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) {
    if (!place.mustExist) return store;
    throw usageError(`There is no store at ${file}: make one with 'vernal ingest PATH… --store ${file}'`, 'store');
  }
  if (info.isDirectory()) throw usageError(`${file} is a folder: --store takes a file`, 'store');
  await store.load(fileResource(path), { signal: place.signal });
  return store;
}
