import { messageText, systemMessage, userMessage } from '@vernal/core';
import { expect, it, vi } from 'vitest';
import { describeOnServer } from './server.js';

const HOUR = 3_600_000;

describeOnServer('ttlMs', (server) => {
  it('is renewed for all keys of the conversation at once by each append, and by saveAll', async () => {
    const name = server.name();
    const keyPrefix = `${name}:`;
    const keys = [`${name}:{c}`, `${name}:{c}:systems`];
    const ends = (): Promise<number[]> => Promise.all(keys.map((key) => server.client.pexpiretime(key)));
    const repository = server.repository({ keyPrefix, ttlMs: HOUR });
    await repository.append('c', [systemMessage('s'), userMessage('q')]);
    const [first, systems] = await ends();
    expect(systems).toBe(first);
    expect((first ?? 0) - Date.now()).toBeGreaterThan(HOUR - 60_000);
    for (const write of ['append', 'saveAll'] as const) {
      for (const key of keys) await server.client.pexpire(key, 60_000);
      await repository[write]('c', [systemMessage('s')]);
      const renewed = await ends();
      expect(renewed[1]).toBe(renewed[0]);
      expect(renewed[0]).toBeGreaterThanOrEqual(first ?? Number.NaN);
    }
    expect(await server.client.pttl(`${name}:{c}:writes`)).toBeLessThanOrEqual(HOUR);
  });

  it('does not touch what others have set, where there is none', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    await repository.append('c', [userMessage('q')]);
    await server.client.pexpire(`${name}:{c}`, HOUR);
    const end = await server.client.pexpiretime(`${name}:{c}`);
    await repository.append('c', [systemMessage('s')]);
    await repository.saveAll('c', [systemMessage('new'), userMessage('q')]);
    for (const key of [`${name}:{c}`, `${name}:{c}:systems`]) {
      const late = (await server.client.pexpiretime(key)) - end;
      // Counted anew by the server's clock, in whole milliseconds.
      expect(Math.abs(late)).toBeLessThan(100);
    }
  });

  it('ends a conversation: it is empty, not listed, and starts anew', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:`, ttlMs: 30, search: true });
    await repository.append('c', [userMessage('old'), systemMessage('s')]);
    await vi.waitFor(async () => expect(await server.client.keys(`${name}*`)).toEqual([]), { timeout: 60_000 });
    expect(await repository.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 0 });
    const listed: string[] = [];
    for await (const id of repository.findConversationIds()) listed.push(id);
    expect(listed).toEqual([]);
    const patient = server.repository({ keyPrefix: `${name}:`, ttlMs: HOUR });
    expect(await patient.append('c', [userMessage('new')], { expectedSequence: 0 })).toEqual({ sequence: 1 });
    expect((await patient.findByConversationId('c')).messages.map(messageText)).toEqual(['new']);
  });

  it('lets copies for searching outlive their conversation, and renews all of them once in a while', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:`, ttlMs: HOUR, search: true });
    const copyEnds = (): Promise<number[]> =>
      Promise.all([1, 2, 3].map((sequence) => server.client.pexpiretime(`${name}:message:{c}:${sequence}`)));
    await repository.append('c', [userMessage('one')]);
    const [first = 0] = await copyEnds();
    expect(first - (await server.client.pexpiretime(`${name}:{c}`))).toBe(HOUR);
    await repository.append('c', [userMessage('two')]);
    expect((await copyEnds())[0]).toBe(first);
    // As if an hour had gone by: the first copy would expire before its conversation does.
    const soon = Date.now() + HOUR / 2;
    await server.client.pexpireat(`${name}:message:{c}:1`, soon);
    await server.client.hset(`${name}:{c}`, 'indexed', String(soon));
    await repository.append('c', [userMessage('three')]);
    const ends = await copyEnds();
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).toBeGreaterThanOrEqual(first);
  });
});
