// The ten nearest of 10,000 and of 100,000 vectors of 384 dimensions: by comparing with all of them, with those that pass a filter, and by
// the index. What the vectors take in memory beside their own bytes.
import { setTimeout as sleep } from 'node:timers/promises';
import { document } from '@vernal/core';
import { SimpleVectorStore } from '@vernal/vector-store';
import { compare, each, peer } from './measure.mjs';

const dimensions = 384;

/** One block of numbers, and each row of it; the last is the query. */
function vectorsOf(count) {
  let seed = 11;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648 - 0.5;
  };
  const block = Float32Array.from({ length: (count + 1) * dimensions }, next);
  const row = (index) => block.subarray(index * dimensions, (index + 1) * dimensions);
  return { block, row, query: row(count) };
}

async function storeOf({ row }, count, options) {
  let at = 0;
  const embeddingModel = {
    provider: 'prepared',
    dimensions: async () => dimensions,
    embed: async (texts) => texts.map(() => row(at++ % count)),
    call: async () => {
      throw new Error('not used');
    },
  };
  const store = new SimpleVectorStore({ embeddingModel, ...options });
  for (let start = 0; start < count; start += 1000) {
    await store.add(
      Array.from({ length: 1000 }, (_, i) =>
        document({ id: `d${start + i}`, text: `document ${start + i}`, metadata: { part: (start + i) % 10 } }),
      ),
    );
  }
  return store;
}

/** Bytes outside of JavaScript's heap, which is where vectors are. */
async function outside() {
  await sleep(20);
  globalThis.gc?.();
  return process.memoryUsage().external;
}

function plainLoop({ block, query }, count) {
  return () => {
    const best = [];
    for (let row = 0; row < count; row += 1) {
      let sum = 0;
      for (let i = 0; i < dimensions; i += 1) sum += block[row * dimensions + i] * query[i];
      if (best.length < 10 || sum > best[9][0]) {
        best.push([sum, row]);
        best.sort((a, b) => b[0] - a[0]);
        best.length = Math.min(best.length, 10);
      }
    }
    return best;
  };
}

function searches(store, query) {
  let year = 0;
  const search = (filterExpression) =>
    store.similaritySearch({ query: 'q', vector: query, topK: 10, filterExpression });
  return {
    'vernal SimpleVectorStore': each(() => search()),
    'vernal, filtered to 10 %': each(() => search('part == 3')),
    'vernal, filtered to 10 %, each time another filter': each(() => search(`part == 3 AND year != ${year++}`)),
  };
}

async function of(count, rounds, operations) {
  const vectors = vectorsOf(count);
  const before = await outside();
  const store = await storeOf(vectors, count);
  const share = ((await outside()) - before) / (count * dimensions * 4);
  const contestants = {
    'floor: one plain loop over a Float32Array': each(plainLoop(vectors, count)),
    ...searches(store, vectors.query),
  };
  const coded = await storeOf(vectors, count, { int8Scan: true });
  const stores = [store, coded];
  contestants['vernal, int8Scan'] = searches(coded, vectors.query)['vernal SimpleVectorStore'];
  if (count <= 10_000) {
    const index = await vectraIndex(vectors, count);
    if (index) {
      const vector = Array.from(vectors.query);
      contestants['vectra LocalIndex'] = each(() => index.queryItems(vector, '', 10));
      contestants['vectra, filtered to 10 %'] = each(() => index.queryItems(vector, '', 10, { part: { $eq: 3 } }));
    }
    const indexed = await storeOf(vectors, count, { hnsw: { aboveSize: 0 } });
    await indexed.indexed();
    stores.push(indexed);
    contestants['vernal, hnsw'] = searches(indexed, vectors.query)['vernal SimpleVectorStore'];
  }
  const title = `Flat search, ${count.toLocaleString('en')} x ${dimensions}, top 10`;
  const rows = await compare(title, contestants, { operations, rounds, unit: 'ms', weighed: 0 });
  if (globalThis.gc) console.log(`The vectors take ${share.toFixed(3)} times their own bytes.`);
  for (const each of stores) await each.close();
  return rows;
}

export async function flatSearch() {
  return [...(await of(10_000, 21, 10)), ...(await of(100_000, 11, 2))];
}

/** The same vectors in vectra, in memory; undefined when the peers are not installed. */
async function vectraIndex({ row }, count) {
  const vectra = await peer('vectra');
  if (vectra === undefined) return undefined;
  const { LocalIndex, VirtualFileStorage } = vectra.default ?? vectra;
  const index = new LocalIndex('vectors', undefined, new VirtualFileStorage());
  await index.createIndex({ version: 1 });
  await index.batchInsertItems(
    Array.from({ length: count }, (_, i) => ({ id: `d${i}`, vector: Array.from(row(i)), metadata: { part: i % 10 } })),
  );
  return index;
}
