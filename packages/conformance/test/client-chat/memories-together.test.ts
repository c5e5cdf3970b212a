// What a memory is told of a turn that failed, whatever stands between it and the tool loop.
import {
  type AnyAdvisor,
  ChatClient,
  MessageChatMemoryAdvisor,
  PromptChatMemoryAdvisor,
  type StreamAdvisor,
} from '@vernal/client-chat';
import { EvaluateAndRepeatAdvisor } from '@vernal/client-chat/advisors';
import { type Message, MessageWindowChatMemory, tool } from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const look = tool({ name: 'look', execute: () => 'seen' });

function shapes(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.type === 'tool') return `tool: ${message.responses.map(({ result }) => result).join(' | ')}`;
    const calls = message.type === 'assistant' ? message.toolCalls.map(({ name }) => ` ->${name}`).join('') : '';
    return `${message.type}: ${message.text}${calls}${message.metadata['cancelled'] === true ? ' (cancelled)' : ''}`;
  });
}

const passing: StreamAdvisor = {
  name: 'passing',
  order: 1,
  scope: 'turn',
  async *adviseStream(request, chain) {
    for await (const chunk of chain.nextStream(request)) yield chunk;
  },
};

const between: Record<string, (other: MessageWindowChatMemory) => readonly AnyAdvisor[]> = {
  nothing: () => [],
  'an advisor that streams by hand': () => [passing],
  'two of those': () => [passing, { ...passing, name: 'passing too' }],
  'another memory': (chatMemory) => [new PromptChatMemoryAdvisor({ chatMemory })],
  'another memory and one that streams by hand': (chatMemory) => [new PromptChatMemoryAdvisor({ chatMemory }), passing],
};

describe.each(Object.entries(between))('with %s between memory and tool loop', (_, advisorsOf) => {
  const asking = () => {
    const chatMemory = new MessageWindowChatMemory();
    const other = new MessageWindowChatMemory();
    const model = new ScriptedChatModel([
      { text: 'Let me look. ', toolCalls: [{ name: 'look', arguments: {} }] },
      { text: 'I see nothing', error: new Error('500'), afterChunks: 1 },
    ]);
    const client = ChatClient.builder(model)
      .defaultTools(look)
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }), advisorsOf(other))
      .build();
    return { chunks: client.prompt('q').conversation('c').stream().content(), chatMemory, other };
  };
  const expected = ['user: q', 'assistant: Let me look.  ->look', 'tool: seen', 'assistant: I (cancelled)'];

  it('a stream that breaks off is stored once: rounds as rounds, then what was said of the answer', async () => {
    const { chunks, chatMemory, other } = asking();
    await expect(
      (async () => {
        for await (const _ of chunks);
      })(),
    ).rejects.toThrow('500');
    expect(shapes(await chatMemory.get('c'))).toEqual(expected);
    const also = shapes(await other.get('c'));
    expect(also.length === 0 ? expected : also).toEqual(expected);
  });

  it('so is one that is left', async () => {
    const { chunks, chatMemory, other } = asking();
    for await (const text of chunks) if (text === 'I') break;
    expect(shapes(await chatMemory.get('c'))).toEqual(expected);
    const also = shapes(await other.get('c'));
    expect(also.length === 0 ? expected : also).toEqual(expected);
  });
});

it('a memory that is asked twice does not store the tools of the first time with the failure of the second', async () => {
  const [outer, inner] = [new MessageWindowChatMemory(), new MessageWindowChatMemory()];
  const model = new ScriptedChatModel([
    { toolCalls: [{ name: 'look', arguments: {} }] },
    'bad',
    { error: new Error('500') },
  ]);
  const client = ChatClient.builder(model)
    .defaultTools(look)
    .defaultAdvisors(
      new MessageChatMemoryAdvisor({ chatMemory: outer }),
      new EvaluateAndRepeatAdvisor({ evaluate: async () => ({ pass: false }) }),
      new MessageChatMemoryAdvisor({ chatMemory: inner, scope: 'turn', order: 3000 }),
    )
    .build();
  await expect(client.prompt('q').conversation('c').call().content()).rejects.toThrow('500');
  const stored = shapes(await inner.get('c'));
  expect(stored.filter((line) => line === 'tool: seen')).toHaveLength(1);
  expect(stored.at(-1)).toBe('assistant:  (cancelled)');
});
