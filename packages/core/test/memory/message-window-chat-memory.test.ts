import {
  assistantMessage,
  type ChatMemory,
  type ChatMemoryRepository,
  CONVERSATION_ID,
  InMemoryChatMemoryRepository,
  type Message,
  MessageWindowChatMemory,
  messageText,
  systemMessage,
  toolResponseMessage,
  userMessage,
  VernalError,
} from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';

const call = (...ids: string[]): Message =>
  assistantMessage({ toolCalls: ids.map((id) => ({ id, name: 'f', arguments: '{}' })) });
const answer = (...ids: string[]): Message =>
  toolResponseMessage(ids.map((id) => ({ id, name: 'f', result: `r${id}` })));
const user = (text: string): Message => userMessage(text);
const assistant = (text: string): Message => assistantMessage(text);
const system = (text: string): Message => systemMessage(text);

/** 'u1', 'call t1', 'tool t1': short for comparing. */
const short = (messages: readonly Message[]): string[] =>
  messages.map((message) => {
    if (message.type === 'tool') return `tool ${message.responses.map(({ id }) => id).join()}`;
    if (message.type === 'assistant' && message.toolCalls.length > 0)
      return `call ${message.toolCalls.map(({ id }) => id).join()}`;
    return messageText(message);
  });

async function stored(repository: ChatMemoryRepository, id = 'c'): Promise<string[]> {
  return short((await repository.findByConversationId(id)).messages);
}

/** Counts the calls of each method. */
function counting(repository: ChatMemoryRepository = new InMemoryChatMemoryRepository()): {
  repository: ChatMemoryRepository;
  calls: Record<string, number>;
} {
  const calls: Record<string, number> = {};
  const counted = new Proxy(repository, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { repository: counted, calls };
}

describe('the window', () => {
  it('is empty for an unknown conversation', async () => {
    expect(await new MessageWindowChatMemory().get('c')).toEqual([]);
    expect(CONVERSATION_ID).toBe('chat_memory_conversation_id');
  });

  it('cuts between turns and never between a call and its answer', async () => {
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ maxMessages: 4, repository });
    const seen: string[][] = [];
    for (const message of [user('q1'), call('t1'), answer('t1'), assistant('a1'), user('q2'), assistant('a2')]) {
      await memory.add('c', message);
      seen.push(short(await memory.get('c')));
    }
    expect(seen).toEqual([
      ['q1'],
      ['q1', 'call t1'],
      ['q1', 'call t1', 'tool t1'],
      ['q1', 'call t1', 'tool t1', 'a1'],
      ['q2'],
      ['q2', 'a2'],
    ]);
    expect(await stored(repository)).toEqual(['q2', 'a2']);
  });

  it('never cuts into the running turn, however long it is', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 3 });
    await memory.add('c', [user('q1'), assistant('a1'), user('q2')]);
    for (const id of ['1', '2', '3', '4', '5', '6']) await memory.add('c', [call(id), answer(id)]);
    expect(short(await memory.get('c'))).toEqual([
      'q2',
      ...['1', '2', '3', '4', '5', '6'].flatMap((id) => [`call ${id}`, `tool ${id}`]),
    ]);
    await memory.add('c', [assistant('a2'), user('q3')]);
    expect(short(await memory.get('c'))).toEqual(['q3']);
  });

  it('keeps as many turns as fit', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 5 });
    for (let i = 1; i <= 9; i++) await memory.add('c', [user(`q${i}`), assistant(`a${i}`)]);
    expect(short(await memory.get('c'))).toEqual(['q8', 'a8', 'q9', 'a9']);
    await memory.add('c', user('q10'));
    expect(short(await memory.get('c'))).toEqual(['q8', 'a8', 'q9', 'a9', 'q10']);
  });

  it('holds for conversations that others wrote, too', async () => {
    const repository = new InMemoryChatMemoryRepository();
    await repository.append('c', [
      system('S'),
      ...Array.from({ length: 100 }, (_, i) => (i % 2 ? assistant(`a${i}`) : user(`u${i}`))),
    ]);
    const memory = new MessageWindowChatMemory({ maxMessages: 3, repository });
    expect(short(await memory.get('c'))).toEqual(['S', 'u98', 'a99']);
    await memory.add('c', user('u100'));
    expect(short(await memory.get('c'))).toEqual(['S', 'u98', 'a99', 'u100']);
    expect(await stored(repository)).toEqual(['S', 'u98', 'a99', 'u100']);
  });

  it('looks back as far as the running turn reaches', async () => {
    const repository = new InMemoryChatMemoryRepository();
    const rounds = Array.from({ length: 50 }, (_, i) => [call(`${i}`), answer(`${i}`)]).flat();
    await repository.append('c', [user('old'), assistant('a'), user('q'), ...rounds]);
    const window = await new MessageWindowChatMemory({ maxMessages: 3, repository }).get('c');
    expect(short(window)).toEqual(['q', ...short(rounds)]);
  });

  it('gives everything back as it went in', async () => {
    const memory = new MessageWindowChatMemory();
    const turn = [
      userMessage('a\u0000b', { metadata: { n: 1 } }),
      call('t'),
      answer('t'),
      assistantMessage({ text: '', reasoning: [{ text: 'r', signature: 's' }] }),
    ];
    await memory.add('c', turn);
    expect(await memory.get('c')).toStrictEqual(turn);
    (await memory.get('c')).pop();
    expect(await memory.get('c')).toHaveLength(4);
  });
});

describe('broken histories', () => {
  it('are given so that a provider takes them', async () => {
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ repository });
    const history = [answer('x'), user('q1'), call('t1', 't2'), answer('t1'), user('q2'), answer('y'), call('t3')];
    await memory.add('c', history);
    const window = await memory.get('c');
    expect(short(window)).toEqual(['q1', 'call t1,t2', 'tool t1', 'tool t2', 'q2', 'call t3']);
    expect(window[3]).toMatchObject({ responses: [{ id: 't2', name: 'f', isError: true }] });
    expect(await stored(repository)).toEqual(short(history));
  });
});

describe('the system message', () => {
  it('stands once and in front; a different one takes its place', async () => {
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ maxMessages: 4, repository });
    await memory.add('c', [system('old'), user('x'), assistant('y')]);
    for (const turn of ['u1', 'u2', 'u3']) {
      await memory.add('c', [system('S1'), user(turn), assistant(`re ${turn}`)]);
      expect(short(await memory.get('c')).filter((text) => /^(old|S)/.test(text))).toEqual(['S1']);
      expect(short(await memory.get('c'))[0]).toBe('S1');
    }
    expect(await stored(repository)).toEqual(['S1', 'u2', 're u2', 'u3', 're u3']);
    await memory.add('c', [user('u4'), system('S2')]);
    expect(short(await memory.get('c'))).toEqual(['S2', 'u3', 're u3', 'u4']);
    await memory.add('c', [assistant('re u4'), user('u5'), assistant('re u5'), user('u6')]);
    expect(await stored(repository)).toEqual(['S2', 'u5', 're u5', 'u6']);
  });

  it('does not make the memory grow, whatever comes', async () => {
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ maxMessages: 4, repository });
    for (let i = 0; i < 50; i++) await memory.add('c', system(`S${i % 7}`));
    expect(await stored(repository)).toEqual(['S0']);
    for (let i = 0; i < 50; i++) await memory.add('c', [system(`now ${i}`), user(`u${i}`), assistant(`a${i}`)]);
    expect((await stored(repository)).length).toBeLessThanOrEqual(7);
    expect(short(await memory.get('c'))).toEqual(['now 49', 'u48', 'a48', 'u49', 'a49']);
  });

  it('counts once when several come in one go', async () => {
    const memory = new MessageWindowChatMemory();
    await memory.add('c', [system('S1'), user('u'), system('S2')]);
    expect(short(await memory.get('c'))).toEqual(['S2', 'u']);
  });
});

describe('the transcript', () => {
  it('gets what is dropped, once and in order, and no more', async () => {
    const transcript = new InMemoryChatMemoryRepository();
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ maxMessages: 3, repository, transcript });
    const all = [system('S'), ...Array.from({ length: 40 }, (_, i) => (i % 2 ? assistant(`a${i}`) : user(`u${i}`)))];
    for (const message of all) {
      await memory.add('c', message);
      const both = [...(await stored(transcript)), ...(await stored(repository))];
      expect(both.toSorted()).toEqual(short(all).slice(0, both.length).toSorted());
    }
    expect(await stored(transcript)).toEqual(short(all).slice(1, 39));
    await memory.clear('c');
    expect(await memory.get('c')).toEqual([]);
    expect(await stored(transcript)).toHaveLength(38);
  });

  it('gets nothing twice when many write at once', async () => {
    const transcript = new InMemoryChatMemoryRepository();
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ maxMessages: 2, repository, transcript });
    await Promise.all(Array.from({ length: 25 }, (_, i) => memory.add('c', [user(`u${i}`), assistant(`a${i}`)])));
    const both = [...(await stored(transcript)), ...(await stored(repository))];
    expect(both).toHaveLength(50);
    expect(new Set(both).size).toBe(50);
    expect(await stored(repository)).toHaveLength(2);
    for (let i = 0; i < 50; i += 2) expect(both[i + 1]).toBe(both[i]?.replace('u', 'a'));
  });

  it('that fails keeps everything in the repository and tells the logger, not the caller', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn() };
    const transcript = new InMemoryChatMemoryRepository();
    const append = vi
      .spyOn(transcript, 'append')
      .mockRejectedValueOnce(new VernalError('secret', { code: 'store_write' }));
    const repository = new InMemoryChatMemoryRepository();
    const memory = new MessageWindowChatMemory({ maxMessages: 2, repository, transcript, logger });
    await memory.add('c', [user('u1'), assistant('a1')]);
    await memory.add('c', [user('u2'), assistant('a2')]);
    expect(await stored(repository)).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(short(await memory.get('c'))).toEqual(['u2', 'a2']);
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { error: 'store_write' });
    await memory.add('c', [user('u3'), assistant('a3')]);
    expect(append).toHaveBeenCalledTimes(2);
    expect(await stored(transcript)).toEqual(['u1', 'a1', 'u2', 'a2']);
  });
});

describe('the cost of adding', () => {
  it('is one append until the window is full, and does not grow with the conversation', async () => {
    const { repository, calls } = counting();
    const memory = new MessageWindowChatMemory({ maxMessages: 20, repository });
    await memory.add('c', user('first'));
    for (const name of Object.keys(calls)) delete calls[name];
    for (let i = 0; i < 19; i++) await memory.add('c', assistant('more'));
    expect(calls).toEqual({ append: 19 });
    for (let i = 0; i < 200; i++) await memory.add('c', assistant('more'));
    expect(calls['append']).toBe(219);
    // The turn that runs is more than the window takes: no use in looking before the next user message.
    expect(calls['findByConversationId']).toBe(1);
    await memory.add('c', user('next'));
    expect(calls).toMatchObject({ findByConversationId: 2, deleteBefore: 1 });
    expect(calls['saveAll']).toBeUndefined();
  });

  it('holds for any number of conversations', async () => {
    const memory = new MessageWindowChatMemory({ maxMessages: 2 });
    for (let i = 0; i < 10_500; i++) await memory.add(`c${i}`, user(`u${i}`));
    await memory.add('c0', [assistant('a'), user('v')]);
    expect(short(await memory.get('c0'))).toEqual(['v']);
    expect(short(await memory.get('c10499'))).toEqual(['u10499']);
  });
});

describe('bad input', () => {
  it.each(['', '   ', undefined, null, 0])('the id %j is refused', async (id) => {
    const memory: ChatMemory = new MessageWindowChatMemory();
    const refused = expect.objectContaining({ code: 'missing_conversation_id' });
    await expect(Reflect.apply(memory.add, memory, [id, user('x')])).rejects.toEqual(refused);
    await expect(Reflect.apply(memory.get, memory, [id])).rejects.toEqual(refused);
    await expect(Reflect.apply(memory.clear, memory, [id])).rejects.toEqual(refused);
  });

  it('two ids never mix', async () => {
    const memory = new MessageWindowChatMemory();
    await Promise.all([memory.add('a', user('my pin is 4711')), memory.add('b', user('what is the pin?'))]);
    expect(short(await memory.get('b'))).toEqual(['what is the pin?']);
  });

  it.each([0, -1, 1.5, Number.NaN])('maxMessages %j is refused', (maxMessages) => {
    expect(() => new MessageWindowChatMemory({ maxMessages })).toThrow(
      expect.objectContaining({ subject: 'maxMessages' }),
    );
  });

  it('an empty list adds nothing', async () => {
    const { repository, calls } = counting();
    await new MessageWindowChatMemory({ repository }).add('c', []);
    expect(calls).toEqual({});
  });

  it('an aborted signal adds nothing', async () => {
    const memory = new MessageWindowChatMemory();
    const signal = AbortSignal.abort();
    await expect(memory.add('c', user('x'), { signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(await memory.get('c')).toEqual([]);
    await expect(memory.get('c', { signal })).rejects.toMatchObject({ code: 'aborted' });
    await expect(memory.clear('c', { signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});

it('shows no private state in its type: another copy of the class fits', () => {
  const memory: Pick<MessageWindowChatMemory, keyof MessageWindowChatMemory> = new MessageWindowChatMemory();
  const same: MessageWindowChatMemory = memory;
  expect(Reflect.ownKeys(same)).toEqual([]);
});
