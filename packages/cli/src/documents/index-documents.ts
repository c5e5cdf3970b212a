import type { Document, Logger } from '@vernal/core';
import { etl } from '@vernal/etl';
import { TokenTextSplitter } from '@vernal/tokenizer';
import { filter, type SimpleVectorStore } from '@vernal/vector-store';
import type { Progress } from '../output/progress.js';
import { usageError } from '../usage-error.js';
import type { DocumentFile } from './document-files.js';
import { readFile } from './read-file.js';

export interface Indexed {
  readonly files: number;
  readonly passages: number;
  readonly milliseconds: number;
}

export interface IndexOptions {
  readonly progress: Progress;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Short enough that a question finds its passage and not a whole page. */
const PASSAGE_TOKENS = 220;
const BATCH = 64;

/** Reads, splits, embeds and stores. What the store held of a file before is replaced. Files without any text are a usage error. */
export async function indexDocuments(
  files: readonly DocumentFile[],
  store: SimpleVectorStore,
  { progress, logger, signal }: IndexOptions,
): Promise<Indexed> {
  const started = performance.now();
  const isFilled = store.size > 0;
  let read = 0;
  let stored = 0;
  const show = (): void => progress.show(read, files.length, `files read, ${stored} passages stored`);
  async function* documents(): AsyncGenerator<Document> {
    for (const file of files) {
      if (isFilled) await store.delete({ filter: filter.eq('source', file.source) }, { signal });
      yield* readFile(file, signal);
      read += 1;
      logger.debug('read', { source: file.source });
      show();
    }
  }
  try {
    const splitter = new TokenTextSplitter({
      chunkSize: PASSAGE_TOKENS,
      minChunkSizeChars: 200,
      maxNumChunks: Number.MAX_SAFE_INTEGER,
    });
    await etl(documents())
      .transform(splitter)
      .transform(withCitedMetadata)
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
  if (stored === 0) {
    throw usageError('No document found: the files hold no text; name files that do', 'docs');
  }
  return { files: files.length, passages: stored, milliseconds: Math.round(performance.now() - started) };
}

/** Without what the splitter notes: metadata are embedded with the text, and numbers and ids would only blur it. */
async function* withCitedMetadata(passages: AsyncIterable<Document>): AsyncGenerator<Document> {
  for await (const passage of passages) {
    const { source, title } = passage.metadata;
    yield { ...passage, metadata: { ...(source && { source }), ...(title && { title }) } };
  }
}
