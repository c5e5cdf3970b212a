import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { systemMessage, userMessage, VernalError } from '@vernal/core';
import {
  RedisChatMemoryRepository,
  type RedisChatMemoryRepositoryOptions,
  type RedisMemoryClient,
} from '@vernal/memory-redis';
import { describe, expect, it } from 'vitest';
import { LossyConnection } from './lossy-connection.js';
import { describeOnServer } from './server.js';

async function thrown(work: Promise<unknown>): Promise<VernalError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (VernalError.is(error)) return error;
  throw new Error(`expected a VernalError, got ${String(error)}`);
}

async function allIds(repository: RedisChatMemoryRepository): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of repository.findConversationIds()) ids.push(id);
  return ids;
}

function everyCall(repository: RedisChatMemoryRepository): (() => Promise<unknown>)[] {
  return [
    () => repository.append('c', [userMessage('private words')]),
    () => repository.saveAll('c', [userMessage('private words')]),
    () => repository.findByConversationId('c'),
    () => repository.deleteBefore('c', 1),
    () => repository.deleteByConversationId('c'),
    () => allIds(repository),
  ];
}

describe('options', () => {
  const client: RedisMemoryClient = { call: async () => 'OK' };
  const wrong = (value: unknown): never => value as never;
  const faults: readonly [subject: string, options: RedisChatMemoryRepositoryOptions][] = [
    ['client', {}],
    ['client', { client, url: 'redis://127.0.0.1' }],
    ['client', { client: wrong({}) }],
    ['client', { client: wrong(null) }],
    ['client', { client: { ...client, options: { keyPrefix: 'app:' } } }],
    ['url', { url: 'http://127.0.0.1' }],
    ['url', { url: 'redis' }],
    ['url', { url: wrong(1) }],
    ['options', wrong(null)],
    ['keyprefix', wrong({ client, keyprefix: 'x:' })],
    ['ttl', wrong({ client, ttl: 1000 })],
    ['keyPrefix', { client, keyPrefix: '' }],
    ['keyPrefix', { client, keyPrefix: 'a{b}' }],
    ['keyPrefix', { client, keyPrefix: 'chat-memory:message:' }],
    ['ttlMs', { client, ttlMs: 0 }],
    ['ttlMs', { client, ttlMs: 1.5 }],
    ['ttlMs', { client, ttlMs: Number.POSITIVE_INFINITY }],
    ['pageSize', { client, pageSize: 0 }],
    ['timeoutMs', { client, timeoutMs: Number.NaN }],
    ['search', { client, search: wrong('yes') }],
    ['indexName', { client, indexName: '' }],
    ['initializeSchema', { client, initializeSchema: wrong(true) }],
    ['metadataFields', { client, metadataFields: wrong([]) }],
    ['metadataFields.a', { client, metadataFields: { a: wrong('date') } }],
    ['metadataFields.a_2e_b', { client, metadataFields: { 'a.b': 'tag', a_2e_b: 'tag' } }],
  ];
  it.each(faults)('that cannot be right are refused: %s', (subject, options) => {
    const make = (): unknown => new RedisChatMemoryRepository(options);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });
});

describeOnServer('errors', (server) => {
  it('say that a server cannot be reached, and that it may be tried again; secrets stay out', async () => {
    const url = 'redis://ann:hunter2@127.0.0.1:1';
    const once = { maxRetriesPerRequest: 0, retryStrategy: () => null };
    const given = server.repository({ client: server.connect(url, once) });
    const own = server.repository({ url });
    for (const repository of [given, own]) {
      const errors = await Promise.all(everyCall(repository).map((work) => thrown(work())));
      for (const [index, error] of errors.entries()) {
        const isRead = index === 2 || index === 5;
        expect([error.code, error.retryable]).toEqual([isRead ? 'store_read' : 'store_write', true]);
        expect(error.message).toContain('cannot be reached');
        expect(inspect(error)).not.toMatch(/hunter2|private/);
      }
      expect(`${inspect(repository)} ${String(repository)} ${JSON.stringify(repository)}`).not.toContain('hunter2');
      await repository.close();
    }
  });

  it('of a server that does not answer come after timeoutMs, and an abort comes at once', async () => {
    const lossy = await LossyConnection.to(server.url);
    const client = server.connect(lossy.url, { maxRetriesPerRequest: null });
    const patient = server.repository({ client });
    const hasty = server.repository({ client, timeoutMs: 20 });
    await patient.append('c', [userMessage('x')]);
    lossy.hold();
    for (const work of everyCall(hasty)) {
      const error = await thrown(work());
      expect([error.code, error.subject, error.retryable]).toEqual(['timeout', 'timeoutMs', true]);
    }
    const { signal, abort } = aborting();
    const waits = [
      patient.append('c', [userMessage('x')], { signal }),
      patient.findByConversationId('c', { signal }),
      patient.deleteBefore('c', 1, { signal }),
      patient.findConversationIds({ signal })[Symbol.asyncIterator]().next(),
    ].map(thrown);
    abort();
    expect((await Promise.all(waits)).map(({ code }) => code)).toEqual(Array(4).fill('aborted'));
    client.disconnect();
    await lossy.close();
  });

  it('of a client that waits for its server for ever come with the abort', async () => {
    const client = server.connect('redis://127.0.0.1:1', { maxRetriesPerRequest: null });
    const { signal, abort } = aborting();
    const waiting = thrown(server.repository({ client }).append('c', [userMessage('x')], { signal }));
    abort();
    expect((await waiting).code).toBe('aborted');
    client.disconnect();
  });

  it('name what a user may not do', async () => {
    const name = server.name();
    await server.client.call('ACL', ['SETUSER', name, 'on', '>hunter2', `~${name}*`, '+@all', '-evalsha', '-eval']);
    try {
      const url = new URL(server.url);
      [url.username, url.password] = [name, 'hunter2'];
      const error = await thrown(server.repository({ url: url.href }).append('c', [userMessage('private words')]));
      expect([error.code, error.retryable, error.details]).toEqual(['store_write', false, { reply: 'NOPERM' }]);
      url.password = 'wrong';
      const refused = await thrown(server.repository({ url: url.href }).findByConversationId('c'));
      expect([refused.code, refused.details]).toEqual(['store_read', { reply: 'WRONGPASS' }]);
    } finally {
      await server.client.call('ACL', ['DELUSER', name]);
    }
  });

  it('of rights are none with those that the README names', async () => {
    const name = server.name();
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const named = /Rights to ([\s\S]*?)\. They/.exec(readme)?.[1] ?? '';
    const rights = [...named.matchAll(/`([A-Z.]+)`/g)].map(([, command]) => `+${command?.toLowerCase()}`);
    expect(rights).toContain('+evalsha');
    // What the driver greets with, and leaves with.
    rights.push('+hello', '+info', '+client', '+quit');
    await server.client.call('ACL', ['SETUSER', name, 'on', '>secret', `~${name}:*`, `~${name}`, ...rights]);
    try {
      const url = new URL(server.url);
      [url.username, url.password] = [name, 'secret'];
      const options = { url: url.href, keyPrefix: `${name}:`, ttlMs: 60_000 } as const;
      const searched = { indexName: name, initializeSchema: 'always', metadataFields: {} } as const;
      {
        await using repository = server.repository({ ...options, ...searched });
        for (const work of everyCall(repository)) await work();
        await repository.saveAll('c', [systemMessage('x'), userMessage('words')]);
        await repository.findByConversationId('c', { last: 1, includeSystem: true });
        await repository.deleteBefore('c', 2, { keepSystem: true });
        await repository.deleteBefore('c', 2);
        expect(await repository.findByContent('words')).toHaveLength(1);
        const altered = server.repository({ ...options, ...searched, metadataFields: { year: 'numeric' } });
        await altered.append('c', [userMessage('x')]);
        await altered.close();
      }
      await server.client.call('SCRIPT', ['FLUSH']);
      await using without = server.repository({ url: url.href, keyPrefix: `${name}:` });
      await server.client.persist(`${name}:{c}`);
      expect(await without.append('c', [userMessage('x')])).toEqual({ sequence: 4 });
    } finally {
      await server.client.call('ACL', ['DELUSER', name]);
    }
  });

  it('say that a key holds something else, and nothing is written', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    await server.client.set(`${name}:{a}`, 'text');
    await server.client.set(`${name}:{b}:systems`, 'text');
    for (const id of ['a', 'b']) {
      const list = [userMessage('x'), systemMessage('y')];
      const error = await thrown(repository.append(id, list));
      expect([error.code, error.details]).toEqual(['store_write', { reply: 'WRONGTYPE' }]);
      expect(error.message).toContain('keyPrefix');
    }
    expect(await server.client.exists(`${name}:{b}`)).toBe(0);
    expect(await allIds(repository)).toEqual([]);
  });

  it('of a conversation in a later layout leave it alone', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    await repository.append('c', [userMessage('x')]);
    await server.client.hset(`${name}:{c}`, 'layout', '2');
    const before = await server.client.hgetall(`${name}:{c}`);
    for (const work of everyCall(repository).slice(0, 5)) {
      const error = await thrown(work());
      expect([error.code, error.subject]).toEqual(['invalid_state', 'layout']);
    }
    expect(await server.client.hgetall(`${name}:{c}`)).toEqual(before);
    await repository.append('other', [userMessage('x')]);
    expect((await allIds(repository)).toSorted()).toEqual(['c', 'other']);
  });

  it('of sequences that are none, and of more messages than one command takes', async () => {
    const repository = server.repository();
    const wrong = await thrown(repository.deleteBefore('c', Number.NaN));
    expect(wrong.code).toBe('invalid_argument');
    const many = Array.from({ length: 500_001 }, () => userMessage('x'));
    expect(await thrown(repository.append('c', many))).toMatchObject({ code: 'invalid_argument', subject: 'messages' });
  });
});

function aborting(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
