// The tools that a search finds, as providers get them: every request begins as the one before it.
import { ToolSearchToolCallingAdvisor } from '@vernal/advisors-tool-search';
import { ChatClient } from '@vernal/client-chat';
import { type ChatModel, tool } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel } from '@vernal/model-openai';
import type { ScriptStep } from '@vernal/testing';
import { startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, type ChatModelWire, ollamaChatWire, openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';

const PROVIDERS: [string, ChatModelWire, (url: string) => ChatModel][] = [
  ['openai', openAiChatWire, (url) => new OpenAiChatModel({ baseURL: `${url}/v1`, apiKey: 'k' })],
  ['anthropic', anthropicMessagesWire, (url) => new AnthropicChatModel({ baseURL: url, apiKey: 'k' })],
  ['ollama', ollamaChatWire, (url) => new OllamaChatModel({ baseURL: url, defaultOptions: { model: 'm' } })],
];

const search = (query: string): ScriptStep => ({ toolCalls: [{ name: 'toolSearchTool', arguments: { query } }] });
const STEPS: readonly ScriptStep[] = [
  search('book a hotel'),
  search('find flights'),
  { toolCalls: [{ name: 'bookHotel', arguments: {} }] },
  'Booked.',
];
const TOOLS = Array.from({ length: 200 }, (_, i) => tool({ name: `other${i}`, execute: () => '' })).toSpliced(
  100,
  0,
  tool({ name: 'searchFlights', description: 'Finds flights', execute: () => 'none' }),
  tool({ name: 'bookHotel', description: 'Books a hotel room', execute: () => 'Room 12' }),
);

function listOf(body: unknown, key: 'tools' | 'messages'): readonly unknown[] {
  const list: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  if (!Array.isArray(list)) throw new Error(`the request has no list of ${key}`);
  return list;
}

describe.each(PROVIDERS)('%s', (_, wire, make) => {
  it.each(['call', 'stream'] as const)('gets requests that grow at their ends, by %s', async (mode) => {
    const server = await startMockServer(STEPS.map((step) => wire[mode]([step])));
    try {
      const client = ChatClient.builder(make(server.url))
        .defaultTools(TOOLS)
        .defaultAdvisors(new ToolSearchToolCallingAdvisor({ categories: () => ['all'] }))
        .build();
      const spec = client.prompt('A trip').system('Be kind.');
      let text = '';
      if (mode === 'call') text = await spec.call().content();
      else for await (const piece of spec.stream().content()) text += piece;
      expect(text).toBe('Booked.');
      const bodies = server.requests.map(({ json }) => json);
      expect(bodies.map((body) => wire.request(body).tools)).toEqual([
        ['toolSearchTool'],
        ['toolSearchTool', 'bookHotel'],
        ['toolSearchTool', 'bookHotel', 'searchFlights'],
        ['toolSearchTool', 'bookHotel', 'searchFlights'],
      ]);
      for (const [i, body] of bodies.slice(1).entries()) {
        for (const key of ['tools', 'messages'] as const) {
          const before = listOf(bodies[i], key);
          expect(listOf(body, key).slice(0, before.length)).toEqual(before);
        }
      }
    } finally {
      await server.close();
    }
  });
});
