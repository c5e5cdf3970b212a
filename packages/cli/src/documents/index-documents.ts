import type { Document } from '@vernal/core';
import { etl } from '@vernal/etl';
import { TokenTextSplitter } from '@vernal/tokenizer';
import { filter, type SimpleVectorStore } from '@vernal/vector-store';
import type { Progress } from '../output/progress.js';
import type { DocumentFile } from './document-files.js';
import { readFile } from './read-file.js';

export interface Indexed {
  readonly files: number;
  readonly passages: number;
  readonly milliseconds: number;
}

/** Short enough that a question finds its passage and not a whole page. */
const CHUNK_TOKENS = 220;

/** Reads, splits, embeds and stores. What the store held of a file before is replaced. */
export async function indexDocuments(
  files: readonly DocumentFile[],
  store: SimpleVectorStore,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Indexed> {
  const started = performance.now();
  let done = 0;
  async function* documents(): AsyncGenerator<Document> {
    for (const file of files) {
      if (store.size > 0) await store.delete({ filter: filter.eq('source', file.source) }, { signal });
      yield* readFile(file, signal);
      done += 1;
      progress.show(`Reading ${files.length} ${files.length === 1 ? 'file' : 'files'}`, done, files.length);
    }
  }
  const { written } = await etl(documents())
    .transform(new TokenTextSplitter({ chunkSize: CHUNK_TOKENS, minChunkSizeChars: 200 }))
    .write(store, { batchSize: 64, signal });
  progress.done();
  return { files: files.length, passages: written, milliseconds: Math.round(performance.now() - started) };
}
