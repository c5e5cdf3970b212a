import { OpenAiEmbeddingModel } from '@vernal/model-openai';
import { describeEmbeddingModel, vitestRunner } from '@vernal/testing';
import { startMockServer } from '@vernal/testing/mock-server';
import { openAiEmbeddingsWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';

describeEmbeddingModel(
  'openai',
  async () => {
    const server = await startMockServer((request) => openAiEmbeddingsWire.call(request.json));
    return {
      subject: new OpenAiEmbeddingModel({
        baseURL: `${server.url}/v1`,
        maxRetries: 0,
        defaultOptions: { model: 'hashing' },
      }),
      close: () => server.close(),
    };
  },
  { runner: vitestRunner(vitest) },
);
