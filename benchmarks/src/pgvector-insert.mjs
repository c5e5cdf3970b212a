// 10,000 documents into pgvector: by hand, and by the store. What the process itself computes meanwhile is the CPU time; all else is the
// server, or the way there.
import { document } from '@vernal/core';
import { PgVectorStore } from '@vernal/vector-store-pgvector';
import pg from 'pg';
import { engine } from '../../scripts/services/engine.mjs';
import { compare } from './measure.mjs';

const DOCUMENTS = 10_000;
const DIMENSIONS = 384;
const BATCH = 1_000;

function randomVectors() {
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
  return Array.from({ length: DOCUMENTS }, () => Float32Array.from({ length: DIMENSIONS }, next));
}

/** Knows the vector of each text already. */
function knownVectors(vectors) {
  const embed = async (texts) => texts.map((text) => vectors[Number(text.slice(text.lastIndexOf(' ') + 1))]);
  return { provider: 'known', embed, dimensions: async () => DIMENSIONS };
}

async function byHand(pool, table, documents, vectors) {
  const text = (count) =>
    `INSERT INTO ${table} (id, content, metadata, embedding) VALUES ${Array.from(
      { length: count },
      (_, i) => `($${i * 4 + 1}, $${i * 4 + 2}, $${i * 4 + 3}, $${i * 4 + 4})`,
    ).join(', ')}`;
  for (let at = 0; at < documents.length; at += BATCH) {
    const batch = documents.slice(at, at + BATCH);
    const values = batch.flatMap(({ id, text: content, metadata }, i) => [
      id,
      content,
      JSON.stringify(metadata),
      `[${vectors[at + i].join(',')}]`,
    ]);
    await pool.query(text(batch.length), values);
  }
}

export async function pgvectorInsert() {
  const found = engine('postgres');
  if ('reason' in found) {
    console.log(`\npgvector-insert is left out: ${found.reason}`);
    return;
  }
  const pool = new pg.Pool({ connectionString: found.url });
  const vectors = randomVectors();
  const documents = vectors.map((_, i) =>
    document({
      id: `d${i}`,
      text: `The text of document ${i}`,
      metadata: { topic: `t${i % 20}`, year: 2000 + (i % 26) },
    }),
  );
  try {
    for (const indexType of ['none', 'hnsw']) {
      const table = `vernal_bench_${indexType}`;
      const store = new PgVectorStore({
        pool,
        table,
        index: `${table}_index`,
        indexType,
        embeddingModel: knownVectors(vectors),
        dimensions: DIMENSIONS,
        initializeSchema: 'create',
        removeExistingTable: true,
      });
      await store.initialize();
      const emptied = (fill) => async () => {
        await pool.query(`TRUNCATE ${table}`);
        await fill();
      };
      const contestants = {
        'floor: INSERT by hand, 1,000 rows a statement': emptied(() => byHand(pool, table, documents, vectors)),
        'vernal PgVectorStore.add': emptied(() => store.add(documents)),
      };
      await compare(`pgvector, 10,000 documents of 384 dimensions, index: ${indexType}`, contestants, {
        operations: 1,
        rounds: 3,
        warmUps: indexType === 'none' ? 2 : 1,
        unit: 'ms',
        weighed: 0,
      });
      await pool.query(`DROP TABLE ${table}`);
    }
  } finally {
    await pool.end();
  }
}
