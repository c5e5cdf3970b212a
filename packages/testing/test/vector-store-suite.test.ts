import { describeVectorStore, vitestRunner } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import * as vitest from 'vitest';
import { keepReport } from '../../../scripts/suite-report.mjs';

const runner = vitestRunner(vitest);

for (const metric of ['cosine', 'dot', 'euclidean'] as const) {
  describeVectorStore(
    `SimpleVectorStore, ${metric}`,
    ({ embeddingModel }) => ({ subject: new SimpleVectorStore({ embeddingModel, metric }) }),
    { runner, onReport: keepReport },
  );
}
