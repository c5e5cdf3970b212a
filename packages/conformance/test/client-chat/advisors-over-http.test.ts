// The advisors of the second entry over the real adapters, on real connections.
import { ChatClient } from '@vernal/client-chat';
import {
  BudgetAdvisor,
  FallbackAdvisor,
  InMemoryResponseCache,
  RedactionAdvisor,
  ResponseCacheAdvisor,
  RetryAdvisor,
  redactionPatterns,
} from '@vernal/client-chat/advisors';
import { type ChatModel, fold, noRetry, tool } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel } from '@vernal/model-openai';
import type { ScriptStep } from '@vernal/testing';
import { type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import {
  anthropicMessagesWire,
  type ChatModelWire,
  ollamaChatWire,
  openAiChatWire,
  type WireErrorKind,
} from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const PROVIDERS: readonly { readonly name: string; readonly wire: ChatModelWire; make(url: string): ChatModel }[] = [
  {
    name: 'openai',
    wire: openAiChatWire,
    make: (url) =>
      new OpenAiChatModel({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0, defaultOptions: { model: 'm' } }),
  },
  {
    name: 'anthropic',
    wire: anthropicMessagesWire,
    make: (url) =>
      new AnthropicChatModel({
        baseURL: url,
        apiKey: 'k',
        maxRetries: 0,
        defaultOptions: { model: 'm', maxTokens: 100 },
      }),
  },
  {
    name: 'ollama',
    wire: ollamaChatWire,
    make: (url) => new OllamaChatModel({ baseURL: url, retry: noRetry, defaultOptions: { model: 'm' } }),
  },
];

const cases = PROVIDERS.flatMap((provider) => (['call', 'stream'] as const).map((mode) => ({ ...provider, mode })));

describe.each(cases)('over $name, in a $mode', ({ wire, make, mode }) => {
  const answer = (step: ScriptStep): MockExchange => (mode === 'call' ? wire.call([step]) : wire.stream([step]));
  const failure = (kind: WireErrorKind, headers: Readonly<Record<string, string>> = {}): MockExchange => {
    const reply = wire.error(kind);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
  const ask = (client: ChatClient, text: string) => {
    const spec = client.prompt(text);
    return mode === 'call' ? spec.call().chatResponse() : fold(spec.stream().chatResponse());
  };

  it('what is redacted is in no byte that is sent; tools and the reader have the originals', async () => {
    await using server = await startMockServer([
      answer({ toolCalls: [{ id: 'call_1', name: 'find', arguments: { who: '[EMAIL_1]' } }] }),
      answer('[EMAIL_1] works for [EMAIL_2].'),
    ]);
    const asked: string[] = [];
    const find = tool({
      name: 'find',
      input: z.object({ who: z.string() }),
      execute: ({ who }) => {
        asked.push(who);
        return { boss: 'eve@example.org' };
      },
    });
    const client = ChatClient.builder(make(server.url))
      .defaultTools(find)
      .defaultAdvisors(new RedactionAdvisor({ patterns: [redactionPatterns.email], restore: true }))
      .build();
    const response = await ask(client, 'Whom does ann@example.org work for?');
    expect(response.result?.output.text).toBe('ann@example.org works for eve@example.org.');
    expect(asked).toEqual(['ann@example.org']);
    expect(server.requests).toHaveLength(2);
    for (const { text } of server.requests) expect(text).not.toContain('@example.org');
  });

  it('a Retry-After is waited out, and what cannot be helped is not repeated', async () => {
    await using server = await startMockServer([
      failure('rate-limit', { 'retry-after-ms': '1' }),
      failure('overloaded', { 'retry-after-ms': '1' }),
      answer('fine'),
      failure('bad-request'),
    ]);
    const client = ChatClient.builder(make(server.url))
      .defaultAdvisors(new RetryAdvisor({ policy: { initialDelayMs: 3_600_000, multiplier: 1 } }))
      .build();
    expect((await ask(client, 'q')).result?.output.text).toBe('fine');
    await expect(ask(client, 'q')).rejects.toMatchObject({ code: 'model_bad_request' });
    server.assertComplete();
  });

  it('a fallback is given what was redacted, and one answer is cached for all', async () => {
    await using server = await startMockServer([failure('authentication'), answer('Hello [EMAIL_1]')]);
    const client = ChatClient.builder(make(server.url))
      .defaultAdvisors(
        new FallbackAdvisor({ models: [{ model: make(server.url), options: { model: 'm' } }] }),
        new RedactionAdvisor({ patterns: [redactionPatterns.email], restore: true }),
        new ResponseCacheAdvisor({ cache: new InMemoryResponseCache() }),
      )
      .build();
    expect((await ask(client, 'I am ann@example.org')).result?.output.text).toBe('Hello ann@example.org');
    const cached = await ask(client, 'I am ann@example.org');
    expect([cached.result?.output.text, cached.metadata['cached']]).toEqual(['Hello ann@example.org', true]);
    server.assertComplete();
    for (const { text } of server.requests) expect(text).not.toContain('@example.org');
  });

  it('a budget counts what the provider reports', async () => {
    const usage = { promptTokens: 30, completionTokens: 20 };
    await using server = await startMockServer([
      answer({ toolCalls: [{ id: 'call_1', name: 'again', arguments: {} }], usage }),
      answer({ toolCalls: [{ id: 'call_2', name: 'again', arguments: {} }], usage }),
    ]);
    const client = ChatClient.builder(make(server.url))
      .defaultTools(tool({ name: 'again', execute: () => 'and again' }))
      .defaultAdvisors(new BudgetAdvisor({ maxTokens: 100 }))
      .build();
    const response = await ask(client, 'q');
    expect(response.result?.metadata.finishReason).toBe('length');
    expect(response.metadata['budget']).toEqual({ tokens: 100, cost: 0 });
    server.assertComplete();
  });
});
