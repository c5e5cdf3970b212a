import { type CreateVectorStore, describeVectorStore, vitestRunner } from '@vernal/testing';
import { SqliteVectorStore } from '@vernal/vector-store-sqlite';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { DRIVER, openWithVectors } from './drivers.js';

vitest.describe(`SqliteVectorStore on ${DRIVER}`, () => {
  const database = openWithVectors();
  vitest.afterAll(() => void database.close());
  for (const [name, more] of [
    ['cosine', {}],
    ['Euclid', { metric: 'euclidean' }],
    ['inner product', { metric: 'dot' }],
    ['words', { keywordSearch: true }],
    ['small batches', { maxBatch: 7, keywordSearch: 'trigram' }],
  ] as const) {
    const open: CreateVectorStore = ({ embeddingModel, collection }) => ({
      subject: new SqliteVectorStore({
        database,
        embeddingModel,
        table: `${collection} ${name}`,
        initializeSchema: 'create',
        ...more,
      }),
    });
    const runner = vitestRunner(vitest);
    describeVectorStore(`SqliteVectorStore, ${name}`, open, { runner, reopen: open, onReport: keepReport });
  }
});
