import {
  assistantMessage,
  type ChatMemoryRepository,
  type ConversationSlice,
  InMemoryChatMemoryRepository,
  type Message,
  media,
  messageText,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const texts = ({ messages }: ConversationSlice): string[] => messages.map(messageText);
const users = (...all: string[]): Message[] => all.map((text) => userMessage(text));

async function filled(messages: readonly Message[]): Promise<ChatMemoryRepository> {
  const repository = new InMemoryChatMemoryRepository();
  await repository.append('c', messages);
  return repository;
}

async function idsOf(repository: ChatMemoryRepository): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of repository.findConversationIds()) ids.push(id);
  return ids;
}

describe('reading', () => {
  it('gives nothing for a conversation that never was', async () => {
    const repository = new InMemoryChatMemoryRepository();
    expect(await repository.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 0 });
    expect(await idsOf(repository)).toEqual([]);
  });

  it('keeps order, sequences and ids', async () => {
    const repository = await filled(users('a', 'b'));
    expect(await repository.append('c', users('c'))).toEqual({ sequence: 3 });
    await repository.append('d/: %é🙂', users('x'));
    expect(await repository.findByConversationId('c')).toMatchObject({ sequences: [1, 2, 3], sequence: 3 });
    expect(texts(await repository.findByConversationId('c'))).toEqual(['a', 'b', 'c']);
    expect(await idsOf(repository)).toEqual(['c', 'd/: %é🙂']);
  });

  it.each([
    [{ last: 2 }, ['d', 'e']],
    [{ last: 0 }, []],
    [{ last: 9 }, ['a', 'S', 'b', 'T', 'd', 'e']],
    [{ before: 5 }, ['a', 'S', 'b', 'T']],
    [{ before: 3, last: 1 }, ['S']],
    [{ last: 1, includeSystem: true }, ['S', 'T', 'e']],
    [{ before: 4, last: 1, includeSystem: true }, ['S', 'b', 'T']],
    [{ before: 1, includeSystem: true }, ['S', 'T']],
    [{ includeSystem: true }, ['a', 'S', 'b', 'T', 'd', 'e']],
  ])('%j', async (options, expected) => {
    const repository = await filled([
      userMessage('a'),
      systemMessage('S'),
      userMessage('b'),
      systemMessage('T'),
      ...users('d', 'e'),
    ]);
    const slice = await repository.findByConversationId('c', options);
    expect(texts(slice)).toEqual(expected);
    expect(slice.sequences).toEqual(expected.map((text) => 1 + ['a', 'S', 'b', 'T', 'd', 'e'].indexOf(text)));
    expect(slice.sequence).toBe(6);
  });
});

describe('writing', () => {
  it('happens only at the expected sequence', async () => {
    const repository = await filled(users('a'));
    await expect(repository.append('c', users('b'), { expectedSequence: 0 })).rejects.toMatchObject({
      code: 'conversation_conflict',
      conversationId: 'c',
      expectedSequence: 0,
      actualSequence: 1,
    });
    await expect(repository.saveAll('c', [], { expectedSequence: 2 })).rejects.toMatchObject({ actualSequence: 1 });
    await expect(repository.append('new', users('b'), { expectedSequence: 1 })).rejects.toMatchObject({
      actualSequence: 0,
    });
    expect(await idsOf(repository)).toEqual(['c']);
    expect(await repository.append('c', users('b'), { expectedSequence: 1 })).toEqual({ sequence: 2 });
    expect(await repository.append('new', users('b'), { expectedSequence: 0 })).toEqual({ sequence: 1 });
  });

  it('of nothing makes no conversation', async () => {
    const repository = new InMemoryChatMemoryRepository();
    expect(await repository.append('c', [])).toEqual({ sequence: 0 });
    expect(await idsOf(repository)).toEqual([]);
  });

  it('lands whole or not at all', async () => {
    const repository = await filled(users('a'));
    const bad = [userMessage('b'), JSON.parse('{"type":"function"}')];
    await expect(repository.append('c', bad)).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'message.type',
    });
    await expect(repository.saveAll('c', bad)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await repository.findByConversationId('c')).toMatchObject({ sequences: [1], sequence: 1 });
  });

  it.each([
    ['{"type":"user","text":"x","metadata":{}}', 'message.media'],
    ['{"type":"assistant","metadata":{}}', 'message.text'],
    ['{"type":"tool","responses":{},"metadata":{}}', 'message.responses'],
  ])('refuses %s', async (json, subject) => {
    const repository = new InMemoryChatMemoryRepository();
    await expect(repository.append('c', [JSON.parse(json)])).rejects.toMatchObject({
      code: 'invalid_argument',
      subject,
    });
  });

  it('replaces all, and sequences go on rising', async () => {
    const repository = await filled(users('a', 'b'));
    expect(await repository.saveAll('c', users('x', 'y'))).toEqual({ sequence: 4 });
    expect(await repository.findByConversationId('c')).toMatchObject({ sequences: [3, 4], sequence: 4 });
    expect(await repository.saveAll('c', [])).toEqual({ sequence: 4 });
    expect(await repository.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 4 });
  });

  it('of many at once loses none and keeps each append together', async () => {
    const repository = new InMemoryChatMemoryRepository();
    await Promise.all(
      Array.from({ length: 25 }, (_, i) => repository.append('c', [userMessage(`u${i}`), assistantMessage(`a${i}`)])),
    );
    const slice = await repository.findByConversationId('c');
    expect(slice.messages).toHaveLength(50);
    for (let i = 0; i < 50; i += 2) {
      const [question, answer] = texts(slice).slice(i, i + 2);
      expect(answer).toBe(question?.replace('u', 'a'));
    }
  });

  it('keeps the order of one append', async () => {
    const list = Array.from({ length: 60 }, (_, i) => (i % 2 ? assistantMessage(`m${i}`) : userMessage(`m${i}`)));
    expect((await (await filled(list)).findByConversationId('c')).messages).toEqual(list);
  });
});

describe('deleting', () => {
  it('before a sequence keeps the sequence, and system messages when asked', async () => {
    const list = [systemMessage('S'), userMessage('a'), systemMessage('T'), userMessage('b')];
    const kept = await filled(list);
    await kept.deleteBefore('c', 4, { keepSystem: true });
    expect(await kept.findByConversationId('c')).toMatchObject({ sequences: [1, 3, 4], sequence: 4 });
    expect(texts(await kept.findByConversationId('c', { last: 1, includeSystem: true }))).toEqual(['S', 'T', 'b']);
    await kept.deleteBefore('c', 3, { keepSystem: false });
    expect(texts(await kept.findByConversationId('c'))).toEqual(['T', 'b']);
    expect(texts(await kept.findByConversationId('c', { last: 1, includeSystem: true }))).toEqual(['T', 'b']);
    await kept.deleteBefore('c', 99);
    expect(await kept.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 4 });
    expect(await idsOf(kept)).toEqual([]);
    await kept.append('c', users('next'));
    expect(await kept.findByConversationId('c', { last: 1, includeSystem: true })).toMatchObject({ sequences: [5] });
  });

  it('a conversation, known or not', async () => {
    const repository = await filled(users('a'));
    await repository.deleteByConversationId('other');
    await repository.deleteBefore('other', 5);
    await repository.deleteByConversationId('c');
    expect(await repository.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 0 });
  });
});

describe('what is stored', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const rich: readonly Message[] = [
    systemMessage('s', { metadata: { src: 'p\u0000q' } }),
    userMessage('see \u0000', {
      media: [
        media('image/png', bytes, { name: 'a' }),
        media('image/png', 'https://example.invalid/a.png', { name: 'b' }),
      ],
    }),
    assistantMessage({
      toolCalls: [
        { id: 'c1', name: 'f', arguments: '{"n":1.5,"s":"é","k\\u0000":null}' },
        { id: 'c2', name: 'g', arguments: '' },
      ],
    }),
    toolResponseMessage([
      {
        id: 'c1',
        name: 'f',
        result: '{"x":1}',
        structured: { x: [1, null] },
        media: [media('image/png', bytes, { name: 'c' })],
      },
      { id: 'c2', name: 'g', result: 'boom', isError: true },
    ]),
    assistantMessage({
      text: '',
      reasoning: [{ text: 'r', signature: 'c2ln' }],
      metadata: { deep: { a: [true, { b: null }] }, __proto__: null },
    }),
  ];

  it('comes back equal', async () => {
    expect((await (await filled(rich)).findByConversationId('c')).messages).toStrictEqual(rich);
  });

  it('is not changed by who wrote or who reads', async () => {
    const list: Message[] = structuredClone([...rich]);
    const repository = await filled(list);
    for (const message of list) Object.assign(message, { text: 'changed', metadata: {} });
    list.pop();
    const first = await repository.findByConversationId('c');
    Object.assign(first.messages, { length: 0 });
    Object.assign(first.sequences, { length: 0 });
    const second = await repository.findByConversationId('c');
    expect(second.messages).toStrictEqual(rich);
    expect(() => Object.assign(second.messages[0] ?? {}, { text: 'changed' })).toThrow(TypeError);
    expect(() => Object.assign(second.messages[4]?.metadata ?? {}, { deep: 1 })).toThrow(TypeError);
    bytes[0] = 9;
    expect((await repository.findByConversationId('c')).messages[1]).toMatchObject({
      media: [{ source: { bytes: new Uint8Array([1, 2, 3]) } }, {}],
    });
    bytes[0] = 1;
  });
});

it.each(['', '   ', undefined, null, 0])('refuses the id %j', async (id) => {
  const repository = new InMemoryChatMemoryRepository();
  const refused = expect.objectContaining({ code: 'missing_conversation_id', subject: 'conversationId' });
  for (const method of [
    'append',
    'saveAll',
    'findByConversationId',
    'deleteBefore',
    'deleteByConversationId',
  ] as const) {
    await expect(Reflect.apply(repository[method], repository, [id, []])).rejects.toEqual(refused);
  }
});

it('does nothing under an aborted signal', async () => {
  const repository = await filled(users('a'));
  const signal = AbortSignal.abort();
  await expect(repository.append('c', users('b'), { signal })).rejects.toMatchObject({ code: 'aborted' });
  await expect(repository.deleteByConversationId('c', { signal })).rejects.toMatchObject({ code: 'aborted' });
  await expect(repository.findConversationIds({ signal })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(texts(await repository.findByConversationId('c'))).toEqual(['a']);
});

it('does what a plain list would', async () => {
  const step = fc.oneof(
    fc.record({
      op: fc.constant('append' as const),
      types: fc.array(fc.constantFrom('user', 'system'), { maxLength: 3 }),
    }),
    fc.record({
      op: fc.constant('saveAll' as const),
      types: fc.array(fc.constantFrom('user', 'system'), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('deleteBefore' as const), sequence: fc.nat(20), keepSystem: fc.boolean() }),
    fc.record({
      op: fc.constant('find' as const),
      last: fc.option(fc.nat(6), { nil: undefined }),
      before: fc.option(fc.nat(20), { nil: undefined }),
      includeSystem: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const repository = new InMemoryChatMemoryRepository();
      let model: { sequence: number; type: string }[] = [];
      let sequence = 0;
      for (const one of steps) {
        if (one.op === 'find') {
          const inside = model.filter((m) => one.before === undefined || m.sequence < one.before);
          const newest = one.last === undefined ? inside : inside.slice(Math.max(0, inside.length - one.last));
          const expected = model.filter((m) => newest.includes(m) || (one.includeSystem && m.type === 'system'));
          const slice = await repository.findByConversationId('c', one);
          expect(slice.sequences).toEqual(expected.map((m) => m.sequence));
          expect(slice.messages.map(({ type }) => type)).toEqual(expected.map((m) => m.type));
          expect(slice.sequence).toBe(sequence);
        } else if (one.op === 'deleteBefore') {
          await repository.deleteBefore('c', one.sequence, { keepSystem: one.keepSystem });
          model = model.filter((m) => m.sequence >= one.sequence || (one.keepSystem && m.type === 'system'));
        } else {
          const messages = one.types.map((type) => (type === 'user' ? userMessage('') : systemMessage('')));
          if (one.op === 'saveAll') model = [];
          for (const { type } of messages) model.push({ sequence: ++sequence, type });
          expect(await repository[one.op]('c', messages)).toEqual({ sequence });
        }
      }
    }),
  );
});
