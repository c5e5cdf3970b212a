// A turn with tools and memory over HTTP, aborted wherever it can be: its connection is closed, and its history stays valid.
import { getEventListeners } from 'node:events';
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ChatModel, MessageWindowChatMemory, type ObservationRegistry, tool } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel } from '@vernal/model-openai';
import { RecordingObservationRegistry } from '@vernal/testing';
import { gate, type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, type ChatModelWire, ollamaChatWire, openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';

type Make = (url: string, observationRegistry: ObservationRegistry) => ChatModel;

const PROVIDERS: readonly [string, ChatModelWire, Make][] = [
  [
    'openai',
    openAiChatWire,
    (url, observationRegistry) =>
      new OpenAiChatModel({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0, observationRegistry }),
  ],
  [
    'anthropic',
    anthropicMessagesWire,
    (url, observationRegistry) =>
      new AnthropicChatModel({ baseURL: url, apiKey: 'k', maxRetries: 0, observationRegistry }),
  ],
  [
    'ollama',
    ollamaChatWire,
    (url, observationRegistry) =>
      new OllamaChatModel({ baseURL: url, defaultOptions: { model: 'm' }, observationRegistry }),
  ],
];

const PLACES = [
  'before the headers',
  'between chunks',
  'while a tool runs',
  'before the headers of the second round',
  'between chunks of the second round',
] as const;

describe.each(PROVIDERS)('%s', (_, wire, make) => {
  /** Says a word, and then nothing more. */
  const hanging = (): MockExchange => {
    const reply = wire.stream(['Once upon a time']);
    const said = reply.parts.findIndex((part) => String(part).includes('Once'));
    return { ...reply, parts: [...reply.parts.slice(0, said + 1), { end: 'hang' }] };
  };
  const call = { toolCalls: [{ name: 'look', arguments: {} }] };

  it.each(
    PLACES.flatMap((place) =>
      (['call', 'stream'] as const)
        .filter((mode) => mode === 'stream' || !place.startsWith('between'))
        .map((mode) => [mode, place] as const),
    ),
  )('a %s aborted %s', async (mode, place) => {
    const second = place.endsWith('second round');
    const waits = place.startsWith('before');
    const last: MockExchange[] = place === 'while a tool runs' ? [] : [waits ? { hold: gate(), json: {} } : hanging()];
    const first = second || last.length === 0 ? [wire[mode]([call])] : [];
    const server = await startMockServer([...first, ...last]);
    const registry = new RecordingObservationRegistry();
    const chatMemory = new MessageWindowChatMemory();
    const controller = new AbortController();
    const look = tool({
      name: 'look',
      execute: () => {
        if (last.length === 0) controller.abort();
        return 'seen';
      },
    });
    const spec = ChatClient.builder(make(server.url, registry), { observationRegistry: registry })
      .defaultTools(look)
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }))
      .build()
      .prompt('q')
      .conversation('c')
      .signal(controller.signal);
    const run = async (): Promise<void> => {
      if (mode === 'call') await spec.call().content();
      else for await (const _ of spec.stream().content()) controller.abort();
    };
    try {
      const outcome = expect(run()).rejects.toMatchObject({ code: 'aborted' });
      if (waits) {
        await server.whenRequested(second ? 2 : 1);
        controller.abort();
      }
      await outcome;
      await server.whenDropped(last.length);
      expect([server.requests.length, server.dropped]).toEqual([first.length + last.length, last.length]);
      server.assertComplete();
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      registry.assertAllStopped();
      const stored = await chatMemory.get('c');
      const rounds = first.length > 0 ? ['assistant', 'tool'] : [];
      expect(stored.map(({ type }) => type)).toEqual(['user', ...rounds, 'assistant']);
      expect(stored.at(-1)).toMatchObject({ metadata: { cancelled: true } });
      const answers = stored.flatMap((message) => (message.type === 'tool' ? message.responses : []));
      const result = last.length === 0 ? 'cancelled' : 'seen';
      expect(answers.map((answer) => answer.result)).toEqual(first.map(() => result));
    } finally {
      await server.close();
    }
  });
});
