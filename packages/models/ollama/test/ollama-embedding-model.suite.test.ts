import { OllamaEmbeddingModel } from '@vernal/model-ollama';
import { describeEmbeddingModel, vitestRunner } from '@vernal/testing';
import { startMockServer } from '@vernal/testing/mock-server';
import { ollamaEmbedWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';

describeEmbeddingModel(
  'ollama',
  async () => {
    const server = await startMockServer((request) => ollamaEmbedWire.call(request.json));
    const subject = new OllamaEmbeddingModel({ baseURL: server.url, defaultOptions: { model: 'nomic-embed-text' } });
    return { subject, close: () => server.close() };
  },
  { runner: vitestRunner(vitest) },
);
