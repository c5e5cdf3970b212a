// Every case of the suite once more, over the kept connections of `pooledFetch`.
import { noRetry } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel } from '@vernal/model-openai';
import { type PooledFetch, pooledFetch } from '@vernal/node';
import { describeChatModel, vitestRunner } from '@vernal/testing';
import { anthropicMessagesWire, ollamaChatWire, openAiChatWire } from '@vernal/testing/wires';
import * as vitest from 'vitest';

let pool: PooledFetch;
vitest.beforeAll(() => {
  pool = pooledFetch();
});
vitest.afterAll(() => pool.close());
const runner = vitestRunner(vitest);
const shared = { apiKey: 'test', maxRetries: 0, retry: noRetry };

describeChatModel(
  'openai over a pool',
  ({ baseURL, capabilities }) => ({
    subject: new OpenAiChatModel({ ...shared, baseURL: `${baseURL}/v1`, capabilities, fetch: pool }),
  }),
  { runner, wire: openAiChatWire },
);
describeChatModel(
  'anthropic over a pool',
  ({ baseURL, capabilities }) => ({
    subject: new AnthropicChatModel({ ...shared, baseURL, capabilities, fetch: pool }),
  }),
  { runner, wire: anthropicMessagesWire },
);
describeChatModel(
  'ollama over a pool',
  ({ baseURL, capabilities }) => ({
    subject: new OllamaChatModel({ baseURL, capabilities, fetch: pool, defaultOptions: { model: 'llama3.2' } }),
  }),
  { runner, wire: ollamaChatWire },
);
