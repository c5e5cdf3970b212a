import { encodeMessage, MessageWindowChatMemory, messageText, systemMessage, userMessage } from '@vernal/core';
import { expect, it } from 'vitest';
import { describeOnServer } from './server.js';

describeOnServer('what is stored', (server) => {
  it('is a hash with the messages by their sequences, the sequences of system messages, and lately done writes', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    const messages = [systemMessage('Be terse.'), userMessage('Hello 😀')];
    await repository.append('ann', messages);
    expect((await server.client.keys(`${name}*`)).toSorted()).toEqual([
      `${name}:{ann}`,
      `${name}:{ann}:systems`,
      `${name}:{ann}:writes`,
    ]);
    const { 1: first, 2: second, ...facts } = await server.client.hgetall(`${name}:{ann}`);
    expect(facts).toEqual({ layout: '1', conversation: 'ann', sequence: '2', first: '1' });
    const [seconds] = await server.client.time();
    for (const [at, entry] of [first, second].entries()) {
      const { createdAt, message } = JSON.parse(entry ?? '') as { createdAt: number; message: unknown };
      expect(message).toEqual(JSON.parse(encodeMessage(messages[at] ?? userMessage(''))));
      expect(Math.abs(Number(seconds) - createdAt / 1000)).toBeLessThan(60);
    }
    expect(await server.client.zrange(`${name}:{ann}:systems`, '0', '-1')).toEqual(['1']);
    const writesEnd = await server.client.pttl(`${name}:{ann}:writes`);
    expect(writesEnd).toBeGreaterThan(0);
    expect(writesEnd).toBeLessThanOrEqual(3_600_000);
    expect(await server.client.pttl(`${name}:{ann}`)).toBe(-1);
  });

  it('of an id that is long or odd is under its hash, and gives the id back', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    for (const id of ['{a}', 'x'.repeat(1000)]) await repository.append(id, [userMessage('x')]);
    const keys = await server.client.keys(`${name}:*}`);
    for (const key of keys) expect(key.slice(name.length)).toMatch(/^:\{sha256-[0-9a-f]{64}\}$/);
    const ids = await Promise.all(keys.map((key) => server.client.hget(key, 'conversation')));
    expect(ids.toSorted()).toEqual(['x'.repeat(1000), '{a}']);
  });

  it('goes with the conversation, copies for searching too, whoever deletes it', async () => {
    const name = server.name();
    const searched = server.repository({ keyPrefix: `${name}:`, search: true });
    const other = server.repository({ keyPrefix: `${name}:` });
    const fill = () => searched.append('c', [systemMessage('s'), userMessage('one'), userMessage('two')]);
    const copies = async () => (await server.client.keys(`${name}:message:*`)).map((key) => key.split('}:')[1]);
    await fill();
    await other.deleteBefore('c', 3, { keepSystem: true });
    expect((await copies()).toSorted()).toEqual(['1', '3']);
    await other.deleteBefore('c', 2);
    expect(await copies()).toEqual(['3']);
    await fill();
    await other.saveAll('c', [userMessage('new')]);
    expect(await copies()).toEqual([]);
    await fill();
    await other.deleteByConversationId('c');
    expect(await server.client.keys(`${name}*`)).toEqual([]);
  });

  it('may miss what somebody has taken out by hand', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    await repository.append(
      'c',
      ['a', 'b', 'c', 'd'].map((text) => userMessage(text)),
    );
    await server.client.hdel(`${name}:{c}`, '3');
    const { messages, sequences } = await repository.findByConversationId('c', { last: 3 });
    expect([messages.map(messageText), sequences]).toEqual([
      ['a', 'b', 'd'],
      [1, 2, 4],
    ]);
  });

  it('is what a window reads and trims', async () => {
    const memory = new MessageWindowChatMemory({ repository: server.repository(), maxMessages: 4 });
    await memory.add('ann', systemMessage('Be terse.'));
    for (let turn = 0; turn < 10; turn++) await memory.add('ann', [userMessage(`q${turn}`), userMessage(`r${turn}`)]);
    expect((await memory.get('ann')).map(messageText)).toEqual(['Be terse.', 'q8', 'r8', 'q9', 'r9']);
    await memory.clear('ann');
    expect(await memory.get('ann')).toEqual([]);
  });
});
