import type { VectorStoreChatMemoryAdvisorOptions } from '@vernal/advisors-vector-store';
import { CHAT_MEMORY_VECTOR_STORE_TOP_K, VectorStoreChatMemoryAdvisor } from '@vernal/advisors-vector-store';
import { type AnyAdvisor, ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import type { Document } from '@vernal/core';
import {
  document,
  formatDocument,
  MessageWindowChatMemory,
  media,
  PromptTemplate,
  tool,
  userMessage,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { filter } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { FACES, textOf } from './answering.js';
import { WatchedStore } from './watched-store.js';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A client with long-term memory over a clock that stands still. */
function remembering(
  steps: readonly ScriptStep[],
  options: Partial<VectorStoreChatMemoryAdvisorOptions> = {},
  others: readonly AnyAdvisor[] = [],
) {
  const vectorStore = new WatchedStore();
  const model = new ScriptedChatModel(steps);
  const advisor = new VectorStoreChatMemoryAdvisor({ vectorStore, now: () => START, ...options });
  const client = ChatClient.builder(model)
    .defaultAdvisors(advisor, ...others)
    .build();
  const system = (at: number): string => model.prompts[at]?.systemMessage.text ?? '';
  return { vectorStore, model, advisor, client, system, entries: (at: number) => entriesOf(system(at)) };
}

function entriesOf(text: string): string[] {
  return [...text.matchAll(/<memory-entry type="(\w+)"[^>]*>([^<]*)<\/memory-entry>/g)].map(
    ([, type, said]) => `${type}: ${said}`,
  );
}

function shapes(documents: readonly Document[]): string[] {
  return documents.map(({ text, metadata }) => {
    const cut = metadata['cancelled'] === true ? ' (cancelled)' : '';
    return `${metadata['conversationId']} ${metadata['messageType']}: ${text}${cut}`;
  });
}

const time = tool({ name: 'time', execute: () => 'noon' });
const callTime: ScriptStep = { text: 'Let me look. ', toolCalls: [{ name: 'time', arguments: {} }] };

describe.each(FACES)('VectorStoreChatMemoryAdvisor, by %s', (face) => {
  it('writes a turn when it ends, in one add, and tells a later turn what is like its question', async () => {
    const { client, vectorStore, model, system } = remembering(['A fine hotel.', 'The Swan.']);
    const spec = client.prompt().system('Be brief.');
    await textOf(spec.user('We slept at the hotel Swan').conversation('c'), face);
    expect(vectorStore.adds).toHaveLength(1);
    expect(vectorStore.adds[0]).toMatchObject([
      {
        text: 'We slept at the hotel Swan',
        metadata: { conversationId: 'c', messageType: 'user', createdAt: '2026-01-02T03:04:05.000Z' },
      },
      {
        text: 'A fine hotel.',
        metadata: { conversationId: 'c', messageType: 'assistant', createdAt: '2026-01-02T03:04:05.001Z' },
      },
    ]);
    expect(await textOf(spec.user('What was the name of the hotel?').conversation('c'), face)).toBe('The Swan.');
    expect(vectorStore.searches[1]).toEqual({
      query: 'What was the name of the hotel?',
      topK: 21,
      filterExpression: filter.eq('conversationId', 'c'),
    });
    expect(system(0)).toBe('Be brief.');
    expect(system(1)).toMatch(/^Be brief\.\n\nBelow is what was said earlier/);
    expect(system(1)).toContain(
      '<memory-entry type="user" time="2026-01-02T03:04:05.000Z">We slept at the hotel Swan</memory-entry>\n' +
        '<memory-entry type="assistant" time="2026-01-02T03:04:05.001Z">A fine hotel.</memory-entry>',
    );
    expect(model.prompts[1]?.messages.map(({ type }) => type)).toEqual(['system', 'user']);
    expect(model.prompts[1]?.userMessage.text).toBe('What was the name of the hotel?');
  });

  it('embeds what was said and nothing else', async () => {
    const { client, vectorStore } = remembering(['b']);
    await textOf(client.prompt('a').conversation('c'), face);
    expect(vectorStore.adds[0]?.map((one) => formatDocument(one, 'embed'))).toEqual(['a', 'b']);
  });

  it('keeps conversations apart', async () => {
    const { client, entries } = remembering(['Hello, Ann.', 'Hello, Bob.', '?']);
    await textOf(client.prompt('My name is Ann').conversation('ann'), face);
    await textOf(client.prompt('My name is Bob').conversation('bob'), face);
    await textOf(client.prompt('What is my name?').conversation('bob'), face);
    expect(entries(1)).toEqual([]);
    expect(entries(2)).toEqual(['user: My name is Bob', 'assistant: Hello, Bob.']);
  });

  it.each([undefined, '', ' ', 7])('refuses the conversation %j, and neither searches nor writes', async (id) => {
    const { client, vectorStore, model } = remembering(['a']);
    const spec = client.prompt('q').advisors((a) => {
      if (id !== undefined) a.param('chat_memory_conversation_id', id);
    });
    await expect(textOf(spec, face)).rejects.toMatchObject({ code: 'missing_conversation_id' });
    expect([vectorStore.searches, vectorStore.adds, model.prompts]).toEqual([[], [], []]);
  });

  it('remembers what the user said and what was answered, not the tools in between', async () => {
    const { client, vectorStore } = remembering([callTime, 'At noon.']);
    await textOf(client.prompt('When?').conversation('c').tools(time), face);
    expect(shapes(await vectorStore.all())).toEqual(['c user: When?', 'c assistant: At noon.']);
  });

  it('remembers the words that stand beside media, and does not search for what has none', async () => {
    const { client, vectorStore } = remembering(['A cat.', 'A dog.']);
    const picture = media('image/png', Uint8Array.of(1));
    await textOf(client.prompt([userMessage('What is it?', { media: [picture] })]).conversation('c'), face);
    await textOf(client.prompt([userMessage('', { media: [picture] })]).conversation('c'), face);
    expect(vectorStore.searches).toHaveLength(1);
    expect(shapes(await vectorStore.all())).toEqual([
      'c user: What is it?',
      'c assistant: A cat.',
      'c assistant: A dog.',
    ]);
  });

  it('tells memories oldest first, or what is most like the question first', async () => {
    for (const sortBy of ['time', 'score'] as const) {
      const { client, entries } = remembering(['-', '+', 'ok'], { sortBy, topK: 2 });
      await textOf(client.prompt('red roses grow').conversation('c'), face);
      await textOf(client.prompt('red roses grow here').conversation('c'), face);
      await textOf(client.prompt('red roses grow here now').conversation('c'), face);
      const told = ['user: red roses grow', 'user: red roses grow here'];
      expect(entries(2)).toEqual(sortBy === 'time' ? told : told.reverse());
    }
  });

  it('does not tell the question itself, and tells once what was said often', async () => {
    const { client, entries } = remembering(['It is Ann.', 'It is Ann.', 'It is Ann.']);
    for (let i = 0; i < 3; i++) await textOf(client.prompt('What is my name?').conversation('c'), face);
    expect(entries(2)).toEqual(['assistant: It is Ann.']);
  });

  it('leaves out what another memory has put into the prompt, whichever was named first', async () => {
    for (const first of [true, false]) {
      const chatMemory = new MessageWindowChatMemory({ maxMessages: 2 });
      const last = new MessageChatMemoryAdvisor({ chatMemory });
      const vectorStore = new WatchedStore();
      const long = new VectorStoreChatMemoryAdvisor({ vectorStore, topK: 2 });
      const model = new ScriptedChatModel(['Roses, yes.', 'Tulips, yes.', 'All of them.']);
      const client = ChatClient.builder(model)
        .defaultAdvisors(...(first ? [long, last] : [last, long]))
        .build();
      for (const text of ['I like roses', 'I like tulips', 'What do I like?']) {
        await textOf(client.prompt(text).conversation('c'), face);
      }
      const asked = model.prompts[2];
      expect(asked?.messages.slice(1).map((message) => message.type)).toEqual(['user', 'assistant', 'user']);
      expect(entriesOf(asked?.systemMessage.text ?? '')).toEqual(['user: I like roses', 'assistant: Roses, yes.']);
      expect(vectorStore.adds.map((added) => added.length)).toEqual([2, 2, 2]);
      expect((await chatMemory.get('c')).map(({ type }) => type)).toEqual(['user', 'assistant']);
    }
  });

  it('gives as many as the request asks for, near enough, and let through by the filter', async () => {
    const { client, entries, vectorStore } = remembering(['b', 'c', 'd'], {
      requiredFilter: "messageType == 'user'",
      similarityThreshold: 0.1,
    });
    await textOf(client.prompt('red roses').conversation('c'), face);
    await textOf(client.prompt('red tulips').conversation('c'), face);
    const few = client.prompt('red flowers').advisors((a) => a.param(CHAT_MEMORY_VECTOR_STORE_TOP_K, 1));
    await textOf(few.conversation('c'), face);
    expect(entries(2)).toHaveLength(1);
    expect(vectorStore.searches[2]).toMatchObject({ topK: 2, similarityThreshold: 0.1 });
    expect(vectorStore.searches[2]?.filterExpression).toEqual(
      filter.and(filter.eq('conversationId', 'c'), filter.eq('messageType', 'user')),
    );
  });

  it.each([0, -1, 1.5, '3', Number.NaN])('refuses %j memories', async (topK) => {
    const { client } = remembering(['a']);
    const spec = client.prompt('q').advisors((a) => a.param(String(CHAT_MEMORY_VECTOR_STORE_TOP_K), topK));
    await expect(textOf(spec.conversation('c'), face)).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: CHAT_MEMORY_VECTOR_STORE_TOP_K,
    });
  });

  it('knows tenants apart whose conversations have one id, and serves nobody who is nobody', async () => {
    const tenant: VectorStoreChatMemoryAdvisorOptions['tenant'] = ({ context }) => context['tenant'] as string;
    const { client, entries, vectorStore } = remembering(['a', 'b', 'c'], { tenant });
    const as = (who: string, text: string) =>
      textOf(
        client
          .prompt(text)
          .conversation('1')
          .advisors((a) => a.param('tenant', who)),
        face,
      );
    await as('acme', 'Our secret word is rose');
    await as('other', 'What is the secret word?');
    await as('acme', 'What is the secret word?');
    expect(entries(1)).toEqual([]);
    expect(entries(2)).toEqual(['user: Our secret word is rose', 'assistant: a']);
    await expect(textOf(client.prompt('q').conversation('1'), face)).rejects.toMatchObject({ subject: 'tenant' });
    expect(vectorStore.searches).toHaveLength(3);
  });

  it('keeps the metadata of messages, which cannot say whose they are', async () => {
    const { client, vectorStore } = remembering(['a']);
    const claim = { topic: 'x', conversationId: 'other', messageType: 'assistant', createdAt: '0', tenant: 't' };
    await textOf(client.prompt([userMessage('q', { metadata: claim })]).conversation('c'), face);
    expect(vectorStore.adds[0]?.[0]?.metadata).toEqual({
      topic: 'x',
      conversationId: 'c',
      messageType: 'user',
      createdAt: '2026-01-02T03:04:05.000Z',
      tenant: 't',
    });
  });

  it('reads what Spring AI wrote', async () => {
    const { client, entries, vectorStore } = remembering(['ok']);
    await vectorStore.add([
      document('I am Ann', { conversationId: 'c', messageType: 'USER' }),
      document('Hello Ann', { conversationId: 'c', messageType: 'ASSISTANT' }),
      document('Ann is noted', { conversationId: 'c', messageType: 'note' }),
    ]);
    await textOf(client.prompt('Who is Ann?').conversation('c'), face);
    expect(entries(0).sort()).toEqual(['assistant: Hello Ann', 'unknown: Ann is noted', 'user: I am Ann']);
  });

  it('takes a template of one’s own, whose values are never rendered again', async () => {
    const systemPromptTemplate = new PromptTemplate('{long_term_memory}\n--\n{instructions}');
    const { client, system } = remembering(['{instructions} $1', 'b'], { systemPromptTemplate });
    await textOf(client.prompt('{long_term_memory} a').conversation('c'), face);
    await textOf(client.prompt().system('Rules: {"a": 1}').user('a?').conversation('c'), face);
    expect(system(1)).toMatch(/>\{long_term_memory\} a<\/memory-entry>/);
    expect(system(1)).toMatch(/>\{instructions\} \$1<\/memory-entry>\n--\nRules: \{"a": 1\}$/);
  });

  it('stands around each round when it is told to, and remembers the same', async () => {
    const { client, vectorStore, model } = remembering(['Fine.', callTime, 'At noon.'], { scope: 'round' });
    await textOf(client.prompt('Let us meet at the Swan').conversation('c'), face);
    await textOf(client.prompt('When do we meet at the Swan?').conversation('c').tools(time), face);
    expect(shapes(await vectorStore.all())).toEqual([
      'c user: Let us meet at the Swan',
      'c assistant: Fine.',
      'c user: When do we meet at the Swan?',
      'c assistant: At noon.',
    ]);
    // The tool round goes on in the loop, and what the turn said itself is no memory of it.
    expect(model.prompts[2]?.messages.map(({ type }) => type)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(entriesOf(model.prompts[2]?.systemMessage.text ?? '')).toEqual(
      entriesOf(model.prompts[1]?.systemMessage.text ?? ''),
    );
  });
});

describe('what cannot be', () => {
  it.each<[string, string, Partial<VectorStoreChatMemoryAdvisorOptions>]>([
    ['invalid_argument', 'vectorStore', JSON.parse('{"vectorStore":null}')],
    ['invalid_argument', 'topK', { topK: 0 }],
    ['invalid_argument', 'similarityThreshold', { similarityThreshold: Number.NaN }],
    ['invalid_argument', 'sortBy', JSON.parse('{"sortBy":"age"}')],
    ['invalid_argument', 'onError', JSON.parse('{"onError":"ignore"}')],
    ['invalid_argument', 'writeTimeoutMs', { writeTimeoutMs: 0 }],
    ['template', '', { systemPromptTemplate: new PromptTemplate('{instructions} long_term_memory') }],
    ['template', '', { systemPromptTemplate: new PromptTemplate('{long_term_memory}') }],
    ['filter_parse', '', { requiredFilter: 'a =' }],
  ])('is refused at construction: %s, %s', (code, subject, options) => {
    expect(() => new VectorStoreChatMemoryAdvisor({ vectorStore: new WatchedStore(), ...options })).toThrow(
      expect.objectContaining(subject === '' ? { code } : { code, subject }),
    );
  });
});

describe('clear', () => {
  it('forgets one conversation', async () => {
    const { client, advisor, vectorStore } = remembering(['b', 'd']);
    await client.prompt('a').conversation("c'1").call().content();
    await client.prompt('c').conversation('c').call().content();
    expect(await advisor.clear("c'1")).toEqual({ deleted: 2 });
    expect(shapes(await vectorStore.all())).toEqual(['c user: c', 'c assistant: d']);
  });

  it('forgets that of one tenant, and asks for the tenant', async () => {
    const tenant = (): string => 'acme';
    const { client, advisor, vectorStore } = remembering(['b'], { tenant });
    await vectorStore.add([document('theirs', { conversationId: 'c', messageType: 'user', tenant: 'other' })]);
    await client.prompt('a').conversation('c').call().content();
    await expect(advisor.clear('c')).rejects.toMatchObject({ code: 'invalid_argument', subject: 'tenant' });
    expect(await advisor.clear('c', { tenant: 'acme' })).toEqual({ deleted: 2 });
    expect(shapes(await vectorStore.all())).toEqual(['c user: theirs']);
  });

  it('refuses a blank id, and says so where the store cannot', async () => {
    const { advisor, vectorStore } = remembering([]);
    for (const id of ['', ' ']) {
      await expect(advisor.clear(id)).rejects.toMatchObject({ code: 'invalid_argument', subject: 'conversationId' });
    }
    vectorStore.capabilities = { ...vectorStore.capabilities, deleteByFilter: false };
    await expect(advisor.clear('c')).rejects.toMatchObject({
      code: 'unsupported_capability',
      capability: 'deleteByFilter',
      owner: 'watched',
    });
    expect(vectorStore.deletes).toEqual([]);
  });

  it('hands the signal on', async () => {
    const { advisor } = remembering([]);
    await expect(advisor.clear('c', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});

it('finds what was said a thousand turns ago', async () => {
  const steps: ScriptStep[] = Array.from({ length: 1_001 }, (_, i) => `answer ${i}`);
  const { client, entries, vectorStore } = remembering(steps, { topK: 5 });
  for (let i = 0; i < 1_000; i++) {
    await client
      .prompt(i === 3 ? 'My cat is called Tigger' : `Tell me about topic ${i}`)
      .conversation('c')
      .call()
      .content();
  }
  await client.prompt('What is my cat called?').conversation('c').call().content();
  expect(entries(1_000)).toHaveLength(5);
  expect(entries(1_000)).toContain('user: My cat is called Tigger');
  const times = (await vectorStore.all()).map(({ metadata }) => metadata['createdAt']);
  expect(new Set(times).size).toBe(2_002);
  expect([...times].sort()).toEqual(times);
});
