import { document } from '@vernal/core';
import { RetrievalAugmentationAdvisor } from '@vernal/rag';
import { describeAdvisor, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

// The suite's answers are the user's words, so the prompt must show them before anything of the documents.
describeAdvisor(
  'RetrievalAugmentationAdvisor',
  () => ({
    subject: new RetrievalAugmentationAdvisor({
      queryTransformers: [(query) => query],
      queryExpander: (query) => [query, query],
      documentRetriever: [() => [document('Puffins breed in burrows.')], async () => [document('It rains in Delft.')]],
    }),
  }),
  { runner: vitestRunner(vitest) },
);

describeAdvisor(
  'RetrievalAugmentationAdvisor that finds nothing',
  () => ({ subject: new RetrievalAugmentationAdvisor({ documentRetriever: () => [], scope: 'round' }) }),
  { runner: vitestRunner(vitest) },
);
