import { type IngestSource, resourceSource, SentenceTextSplitter } from '@vernal/etl';
import { RedisIngestLedger } from '@vernal/etl-bullmq';
import { LocalEmbeddingModel } from '@vernal/model-local';
import { fileResource } from '@vernal/node';
import { MarkdownReader } from '@vernal/readers-markdown';
import { RedisVectorStore } from '@vernal/vector-store-redis';
import type { Redis } from 'ioredis';

/** Of the queue, the index and the ledger. */
export const NAME: string = process.env['EXAMPLE_NAME'] ?? 'example-ingest';

/** Where passages go to. */
export function handbookStore(client: Redis): RedisVectorStore {
  return new RedisVectorStore({
    client,
    embeddingModel: new LocalEmbeddingModel(),
    index: NAME,
    prefix: `${NAME}:`,
    initializeSchema: 'create',
  });
}

/** What is in it. */
export function handbookLedger(client: Redis): RedisIngestLedger {
  return new RedisIngestLedger(client, { scope: NAME });
}

/** A file, by its path. */
export function handbookPage(path: string): IngestSource {
  const resource = fileResource(path);
  return resourceSource(resource, new MarkdownReader(resource), { id: path });
}

export const splitter: SentenceTextSplitter = new SentenceTextSplitter({ chunkSize: 800 });
