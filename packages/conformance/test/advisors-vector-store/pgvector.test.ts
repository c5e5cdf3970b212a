import { hashingEmbeddingModel } from '@vernal/testing';
import * as vitest from 'vitest';
import { Scratch } from '../../../vector-stores/pgvector/test/scratch.js';
import { serverPool } from '../../../vector-stores/pgvector/test/server.js';
import { describeOnEngine } from './on-engine.js';

const { pool, reason } = serverPool(4);

if (pool === undefined) {
  vitest.it.skip(`advisors over pgvector: ${reason}`);
} else {
  const scratches: Scratch[] = [];
  vitest.afterAll(async () => {
    for (const scratch of scratches) await scratch[Symbol.asyncDispose]();
    await pool.end();
  });
  describeOnEngine('pgvector', async () => {
    const scratch = new Scratch(pool);
    scratches.push(scratch);
    return scratch.store({ embeddingModel: hashingEmbeddingModel() });
  });
}
