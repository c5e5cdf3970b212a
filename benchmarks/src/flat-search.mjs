// The ten nearest of 10,000 vectors of 384 dimensions, by comparing with all of them.
import { document } from '@vernal/core';
import { SimpleVectorStore } from '@vernal/vector-store';
import { compare, each, peer } from './measure.mjs';

const count = 10_000;
const dimensions = 384;

function rows() {
  let seed = 11;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648 - 0.5;
  };
  return Array.from({ length: count + 1 }, () => Float32Array.from({ length: dimensions }, next));
}

export async function flatSearch() {
  const vectors = rows();
  const query = vectors[count];
  let at = 0;
  const embeddingModel = {
    provider: 'prepared',
    dimensions: async () => dimensions,
    embed: async (texts) => texts.map(() => vectors[at++ % count]),
    call: async () => {
      throw new Error('not used');
    },
  };
  const store = new SimpleVectorStore({ embeddingModel });
  for (let start = 0; start < count; start += 1000) {
    await store.add(
      Array.from({ length: 1000 }, (_, i) =>
        document({ id: `d${start + i}`, text: `document ${start + i}`, metadata: { part: (start + i) % 10 } }),
      ),
    );
  }
  const block = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row += 1) block.set(vectors[row], row * dimensions);
  const plain = () => {
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
  const contestants = {
    'floor: one plain loop over a Float32Array': each(plain),
    'vernal SimpleVectorStore': each(() => store.similaritySearch({ query: 'q', vector: query, topK: 10 })),
    'vernal, filtered to 10 %': each(() =>
      store.similaritySearch({ query: 'q', vector: query, topK: 10, filterExpression: 'part == 3' }),
    ),
  };
  const index = await vectraIndex(vectors);
  if (index) {
    const vector = Array.from(query);
    contestants['vectra LocalIndex'] = each(() => index.queryItems(vector, '', 10));
    contestants['vectra, filtered to 10 %'] = each(() => index.queryItems(vector, '', 10, { part: { $eq: 3 } }));
  }
  return compare('Flat search, 10,000 x 384, top 10', contestants, { operations: 10, unit: 'ms', weighed: 0 });
}

/** The same vectors in vectra, in memory; undefined when the peers are not installed. */
async function vectraIndex(vectors) {
  const vectra = await peer('vectra');
  if (vectra === undefined) return undefined;
  const { LocalIndex, VirtualFileStorage } = vectra.default ?? vectra;
  const index = new LocalIndex('vectors', undefined, new VirtualFileStorage());
  await index.createIndex({ version: 1 });
  await index.batchInsertItems(
    vectors.slice(0, count).map((vector, i) => ({
      id: `d${i}`,
      vector: Array.from(vector),
      metadata: { part: i % 10 },
    })),
  );
  return index;
}
