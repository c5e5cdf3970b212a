import { describeVectorStore, vitestRunner } from '@vernal/testing';
import type { StarterClient } from '@vernal/vector-store-starter';
import { StarterVectorStore } from '@vernal/vector-store-starter';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';

const client: StarterClient = { run: async () => [] };

describeVectorStore(
  'StarterVectorStore',
  ({ embeddingModel, collection }) => ({
    subject: new StarterVectorStore({ client, embeddingModel, collection, initializeSchema: 'create' }),
  }),
  { runner: vitestRunner(vitest), onReport: keepReport },
);
