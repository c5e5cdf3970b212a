import {
  QuestionAnswerAdvisor,
  SemanticCacheAdvisor,
  VectorStoreChatMemoryAdvisor,
} from '@vernal/advisors-vector-store';
import { document } from '@vernal/core';
import { describeAdvisor, hashingEmbeddingModel, vitestRunner } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import * as vitest from 'vitest';

const runner = vitestRunner(vitest);
const store = (): SimpleVectorStore => new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });

describeAdvisor(
  'QuestionAnswerAdvisor',
  async () => {
    const vectorStore = store();
    await vectorStore.add([document('Puffins breed in burrows.'), document('It rains in Delft.')]);
    return { subject: new QuestionAnswerAdvisor({ vectorStore }) };
  },
  { runner },
);
describeAdvisor(
  'QuestionAnswerAdvisor around each round, over a store that is down',
  () => {
    const vectorStore = { similaritySearch: () => Promise.reject(new Error('down')) };
    return { subject: new QuestionAnswerAdvisor({ vectorStore, onError: 'degrade', scope: 'round' }) };
  },
  { runner },
);
describeAdvisor(
  'VectorStoreChatMemoryAdvisor',
  () => ({ subject: new VectorStoreChatMemoryAdvisor({ vectorStore: store() }) }),
  { runner },
);
describeAdvisor(
  'VectorStoreChatMemoryAdvisor around each round',
  () => ({ subject: new VectorStoreChatMemoryAdvisor({ vectorStore: store(), scope: 'round' }) }),
  { runner },
);
describeAdvisor(
  'SemanticCacheAdvisor that finds nothing',
  () => {
    let request = 0;
    const tenant = (): string => `${request++}`;
    return { subject: new SemanticCacheAdvisor({ vectorStore: store(), tenant }) };
  },
  { runner },
);
describeAdvisor('SemanticCacheAdvisor', () => ({ subject: new SemanticCacheAdvisor({ vectorStore: store() }) }), {
  runner,
  deviations: [
    {
      case: 'advisor.call-equals-stream',
      reason: 'The stream is given the answer of the call: the model is not asked.',
    },
    { case: 'advisor.question-arrives', reason: 'The second time it does not, for the answer is there.' },
  ],
});
