// One retry policy for calls, the opening of streams and embeddings, over HTTP.
import { type ChatModel, type EmbeddingModel, fold, Prompt, type RetryPolicy, responseText } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel, OllamaEmbeddingModel } from '@vernal/model-ollama';
import { OpenAiChatModel, OpenAiEmbeddingModel } from '@vernal/model-openai';
import { type MockExchange, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import {
  anthropicMessagesWire,
  type ChatModelWire,
  type EmbeddingModelWire,
  ollamaChatWire,
  ollamaEmbedWire,
  openAiChatWire,
  openAiEmbeddingsWire,
  type WireReply,
} from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';

/** Would wait for a minute but for what the server asks for. */
const POLICY: RetryPolicy = { maxAttempts: 4, initialDelayMs: 60_000, deadlineMs: 30_000 };
const soon = (reply: WireReply): WireReply => ({ ...reply, headers: { ...reply.headers, 'retry-after': '0' } });

async function serving(exchanges: readonly MockExchange[], run: (server: MockServer) => Promise<void>): Promise<void> {
  const server = await startMockServer(exchanges);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

describe.each<[string, ChatModelWire, (url: string, retry: RetryPolicy) => ChatModel]>([
  ['openai', openAiChatWire, (url, retry) => new OpenAiChatModel({ baseURL: `${url}/v1`, apiKey: 'k', retry })],
  ['anthropic', anthropicMessagesWire, (url, retry) => new AnthropicChatModel({ baseURL: url, apiKey: 'k', retry })],
  [
    'ollama',
    ollamaChatWire,
    (url, retry) => new OllamaChatModel({ baseURL: url, defaultOptions: { model: 'm' }, retry }),
  ],
])('%s', (_, wire, make) => {
  const ask = async (mode: 'call' | 'stream', model: ChatModel): Promise<string> => {
    const prompt = new Prompt('q');
    return responseText(mode === 'call' ? await model.call(prompt) : await fold(model.stream(prompt)));
  };

  it.each(['call', 'stream'] as const)('a %s is tried again, as soon as the server says', async (mode) => {
    const failures = [soon(wire.error('rate-limit')), soon(wire.error('overloaded'))];
    await serving([...failures, wire[mode](['at last'])], async (server) => {
      expect(await ask(mode, make(server.url, POLICY))).toBe('at last');
      server.assertComplete();
    });
  });

  it.each(['call', 'stream'] as const)('a %s that is refused for good is not', async (mode) => {
    await serving([wire.error('bad-request')], async (server) => {
      await expect(ask(mode, make(server.url, POLICY))).rejects.toMatchObject({ code: 'model_bad_request' });
      expect(server.requests).toHaveLength(1);
    });
  });

  it.each(['call', 'stream'] as const)(
    'a %s is tried as often as the policy says: the SDK adds nothing to it',
    async (mode) => {
      await serving(Array(6).fill(soon(wire.error('overloaded'))), async (server) => {
        await expect(ask(mode, make(server.url, { ...POLICY, maxAttempts: 2 }))).rejects.toMatchObject({
          retryable: true,
        });
        expect(server.requests).toHaveLength(2);
      });
    },
  );

  it('a stream that broke off after its first words is not', async () => {
    const reply = wire.stream(['Once upon a time']);
    const said = reply.parts.findIndex((part) => String(part).includes('Once'));
    await serving([{ ...reply, parts: [...reply.parts.slice(0, said + 1), { end: 'reset' }] }], async (server) => {
      await expect(ask('stream', make(server.url, POLICY))).rejects.toMatchObject({ code: 'model_stream_interrupted' });
      expect(server.requests).toHaveLength(1);
    });
  });
});

it.each<[string, EmbeddingModelWire, (url: string, retry: RetryPolicy) => EmbeddingModel]>([
  [
    'openai',
    openAiEmbeddingsWire,
    (url, retry) => new OpenAiEmbeddingModel({ baseURL: `${url}/v1`, apiKey: 'k', retry }),
  ],
  [
    'ollama',
    ollamaEmbedWire,
    (url, retry) => new OllamaEmbeddingModel({ baseURL: url, defaultOptions: { model: 'm' }, retry }),
  ],
])('an embedding of %s is tried again', async (_, wire, make) => {
  const busy: MockExchange = { status: 503, headers: { 'retry-after': '0' }, json: { error: 'busy' } };
  const answer: MockExchange = ({ json }) => wire.call(json);
  await serving([busy, answer], async (server) => {
    expect(await make(server.url, POLICY).embed(['a', 'b'])).toHaveLength(2);
    server.assertComplete();
  });
});
