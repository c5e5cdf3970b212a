import { describeVectorStore, vitestRunner } from '@vernal/testing';
import type { HnswOptions, VectorMetric } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import * as vitest from 'vitest';

// As broad as the cases ask for, so that the graph is walked however small the store.
const broad = { aboveSize: 0, efSearch: 1_000 };
const stores: readonly [string, VectorMetric, HnswOptions][] = [
  ['cosine', 'cosine', broad],
  ['dot', 'dot', broad],
  ['euclidean', 'euclidean', broad],
  ['default settings', 'cosine', { aboveSize: 0 }],
];

for (const [name, metric, hnsw] of stores) {
  describeVectorStore(
    `SimpleVectorStore with an index, ${name}`,
    ({ embeddingModel }) => ({ subject: new SimpleVectorStore({ embeddingModel, metric, hnsw }) }),
    {
      runner: vitestRunner(vitest),
      settle: async (store) => {
        if (store instanceof SimpleVectorStore) await store.indexed();
      },
    },
  );
}
