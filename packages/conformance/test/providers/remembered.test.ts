// What a memory gives back goes to providers as if it had never been away.
import {
  assistantMessage,
  type ChatModel,
  InMemoryChatMemoryRepository,
  type Message,
  MessageWindowChatMemory,
  media,
  Prompt,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel } from '@vernal/model-openai';
import { startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, type ChatModelWire, ollamaChatWire, openAiChatWire } from '@vernal/testing/wires';
import { expect, it } from 'vitest';

const PIXEL = { type: 'base64', base64: 'iVBORw0KGgo=' } as const;
const HISTORY: readonly Message[] = [
  systemMessage('s'),
  userMessage('see', { media: [media('image/png', PIXEL)] }),
  assistantMessage({
    toolCalls: [
      { id: 'c1', name: 'f', arguments: '{"n":1.5,"s":"é","deep":{"a":[null,true]}}' },
      { id: 'c2', name: 'g', arguments: '{}' },
    ],
  }),
  toolResponseMessage([
    { id: 'c1', name: 'f', result: '{"x":1}' },
    { id: 'c2', name: 'g', result: 'boom \u0000', isError: true },
  ]),
  assistantMessage({ text: '', reasoning: [{ text: 'r', signature: 'c2ln' }], metadata: { signature: 'c2ln' } }),
  userMessage('and a\u0000b \\u0000'),
];

const PROVIDERS: [string, ChatModelWire, (url: string) => ChatModel][] = [
  [
    'openai',
    openAiChatWire,
    (url) => new OpenAiChatModel({ baseURL: `${url}/v1`, apiKey: 'k', replayReasoning: true }),
  ],
  ['anthropic', anthropicMessagesWire, (url) => new AnthropicChatModel({ baseURL: url, apiKey: 'k' })],
  ['ollama', ollamaChatWire, (url) => new OllamaChatModel({ baseURL: url, defaultOptions: { model: 'm' } })],
];

it.each(PROVIDERS)('%s gets the same request', async (_, wire, make) => {
  const memory = new MessageWindowChatMemory({ repository: new InMemoryChatMemoryRepository() });
  await memory.add('c', structuredClone([...HISTORY]));
  const remembered = await memory.get('c');
  expect(remembered).toStrictEqual(HISTORY);
  const server = await startMockServer([wire.call(['1']), wire.call(['2'])]);
  try {
    const model = make(server.url);
    await model.call(new Prompt(HISTORY));
    await model.call(new Prompt(remembered));
    const [before, after] = server.requests;
    expect(after?.json).toEqual(before?.json);
  } finally {
    await server.close();
  }
});
