import type { CreateVectorStore } from '@vernal/testing';
import { describeVectorStore, vitestRunner } from '@vernal/testing';
import { RedisVectorStore, type RedisVectorStoreOptions } from '@vernal/vector-store-redis';
import { Redis } from 'ioredis';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';

const declared = [
  { name: 'n', type: 'numeric' },
  { name: 'mixed', type: 'numeric' },
  { name: 'deep.key', type: 'numeric' },
  { name: 'list', type: 'tag' },
  { name: 's', type: 'text' },
  { name: "it's", type: 'tag' },
] as const;

const found = engine('redis');
if ('reason' in found) vitest.it.skip(`${found.reason}: RedisVectorStore on a server`);
else {
  const run = `${process.pid}_${Date.now().toString(36)}`;
  const client = new Redis(found.url);
  const older = new Redis(found.url, { protocol: 2 });
  vitest.afterAll(async () => {
    await Promise.all([client.quit(), older.quit()]);
  });
  const setUps: readonly [string, Partial<RedisVectorStoreOptions>][] = [
    ['HNSW', {}],
    ['FLAT, RESP2', { client: older, algorithm: 'FLAT' }],
    ['Euclid', { metric: 'euclidean' }],
    ['inner product', { metric: 'dot' }],
    ['declared fields', { metadataFields: declared, maxBatch: 50 }],
  ];
  for (const [name, more] of setUps) {
    const open: CreateVectorStore = ({ embeddingModel, collection }) => {
      const index = `${collection}_${run}_${name}`;
      const prefix = `${index}:`;
      const store = new RedisVectorStore({
        client,
        embeddingModel,
        index,
        prefix,
        initializeSchema: 'create',
        ...more,
      });
      const close = async (): Promise<void> => {
        await store.close();
        // A store that refused everything has made no index.
        await client.call('FT.DROPINDEX', [index, 'DD']).catch(() => undefined);
      };
      return { subject: store, close };
    };
    describeVectorStore(`RedisVectorStore on a server, ${name}`, open, {
      runner: vitestRunner(vitest),
      reopen: open,
      onReport: keepReport,
    });
  }
}
