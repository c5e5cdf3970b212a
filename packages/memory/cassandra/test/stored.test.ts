import {
  assistantMessage,
  MessageWindowChatMemory,
  messageText,
  systemMessage,
  type UserMessage,
  userMessage,
} from '@vernal/core';
import { CassandraChatMemoryRepository, type CassandraMemoryClient } from '@vernal/memory-cassandra';
import { Client, type types } from 'cassandra-driver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

if ('reason' in server) it.skip(`what is stored in Cassandra: ${server.reason}`);
else
  describe('what is stored', () => {
    const table = 'stored';
    let space: TestKeyspace;
    let repository: CassandraChatMemoryRepository;
    beforeAll(async () => {
      space = await testKeyspace(server.url);
      const { client, keyspace } = space;
      repository = new CassandraChatMemoryRepository({ client, keyspace, table, initializeSchema: 'always' });
      await repository.findByConversationId('c');
    });
    afterEach(() => space.empty(table));
    afterAll(() => space.end());
    const select = async (query: string): Promise<unknown[]> =>
      (await space.client.execute(query.replace('FROM ', `FROM ${space.keyspace}.`))).rows.map((row) => ({ ...row }));
    const parts = (): Promise<unknown[]> => select(`SELECT conversation_key, item, part FROM ${table}_part`);
    const large = (letter: string): UserMessage => userMessage(letter.repeat(300_000));

    it('is what people query', async () => {
      const id = 'Ann\0 said';
      await repository.append(id, [systemMessage('Be terse.'), userMessage('x\0y'), assistantMessage('ok')]);
      const rows = await select(
        `SELECT conversation_id, is_system, sequence, type, text, last_sequence, layout FROM ${table}`,
      );
      const of = { conversation_id: 'json:"Ann\\u0000 said"', layout: 1 };
      expect(JSON.parse(JSON.stringify(rows))).toEqual([
        { ...of, is_system: true, sequence: '1', type: 'system', text: 'Be terse.', last_sequence: '3' },
        { ...of, is_system: false, sequence: '3', type: 'assistant', text: 'ok', last_sequence: '3' },
        { ...of, is_system: false, sequence: '2', type: 'user', text: 'x\ufffdy', last_sequence: '3' },
      ]);
      await repository.deleteByConversationId(id);
      expect(await select(`SELECT DISTINCT conversation_key FROM ${table}`)).toEqual([]);
    });

    it('is in parts where a message is large, which go with it', async () => {
      await repository.append('c', [userMessage('small'), large('a'), systemMessage('s'.repeat(40_000))]);
      await repository.append('c', [large('€'), large('😀')]);
      expect(await parts()).toHaveLength(3 + 1 + 3 + 5);
      const { messages } = await repository.findByConversationId('c', { last: 1, includeSystem: true });
      expect(messages).toEqual([systemMessage('s'.repeat(40_000)), large('😀')]);
      const [first] = await select(`SELECT text, message FROM ${table} LIMIT 2`);
      expect(first).toEqual({ text: 's'.repeat(100), message: null });
      await repository.deleteBefore('c', 4, { keepSystem: true });
      expect(await parts()).toHaveLength(1 + 3 + 5);
      await repository.deleteBefore('c', 4);
      expect(await parts()).toHaveLength(3 + 5);
      await repository.saveAll('c', [large('b')]);
      expect(await parts()).toHaveLength(3);
      expect((await repository.findByConversationId('c')).messages).toEqual([large('b')]);
      await repository.deleteByConversationId('c');
      expect(await parts()).toEqual([]);
    });

    it('is nothing of a large message that met a conflict', async () => {
      await repository.append('c', [userMessage('one')]);
      await expect(repository.append('c', [large('a')], { expectedSequence: 0 })).rejects.toMatchObject({
        code: 'conversation_conflict',
      });
      expect(await parts()).toEqual([]);
    });

    it('is all of a list that is too large for one write', async () => {
      const list = Array.from({ length: 3000 }, (_, at) => userMessage(`${at} ${'x'.repeat(1000)}`));
      await repository.append('c', list);
      const { messages } = await repository.findByConversationId('c', { last: 1000 });
      expect(messages).toEqual(list.slice(-1000));
      expect((await repository.findByConversationId('c')).messages).toEqual(list);
    });

    it('is refused where it would be too much at once', async () => {
      const refused = { code: 'invalid_argument', subject: 'messages' };
      const list = Array.from({ length: 10_001 }, () => userMessage('x'));
      await expect(repository.append('c', list)).rejects.toMatchObject(refused);
      await expect(repository.saveAll('c', [userMessage('x'.repeat(64 * 1024 * 1024))])).rejects.toMatchObject(refused);
      expect((await repository.findByConversationId('c')).sequence).toBe(0);
    });

    it('is the same through a client that gives long numbers as those of JavaScript', async () => {
      const { keyspace } = space;
      const { host } = new URL(server.url);
      const client = new Client({
        contactPoints: [host],
        localDataCenter: 'datacenter1',
        encoding: { useBigIntAsLong: true, useUndefinedAsUnset: false },
      });
      try {
        const other = new CassandraChatMemoryRepository({ client, keyspace, table });
        await other.append('c', [userMessage('old'), large('a'), systemMessage('Be terse.')]);
        await other.append('c', [userMessage('new')], { expectedSequence: 3 });
        await other.deleteBefore('c', 2);
        expect(await other.findByConversationId('c')).toEqual(await repository.findByConversationId('c'));
        expect((await other.findByConversationId('c', { last: 2, before: 4 })).sequences).toEqual([2, 3]);
        await other.saveAll('c', [userMessage('all')]);
        expect(await repository.findByConversationId('c')).toMatchObject({ sequences: [5], sequence: 5 });
        await other.deleteByConversationId('c');
        expect(await parts()).toEqual([]);
      } finally {
        await client.shutdown();
      }
    });

    it('is an error by its sequence where parts are missing', async () => {
      await repository.append('c', [large('a')]);
      await space.client.execute(`DELETE FROM ${space.keyspace}.${table}_part WHERE conversation_key = 'c'`);
      await expect(repository.findByConversationId('c')).rejects.toMatchObject({
        code: 'store_read',
        details: { sequence: 1 },
      });
      await repository.append('c', [userMessage('after')]);
      await repository.deleteBefore('c', 2);
      expect((await repository.findByConversationId('c')).messages).toEqual([userMessage('after')]);
    });

    it('is without what writers left behind, once the conversation is deleted', async () => {
      const hour = 3_600_000_000;
      for (const [id, time] of [
        ['old', Date.now() * 1000 - 2 * hour],
        ['new', Date.now() * 1000],
      ])
        await space.client.execute(
          `INSERT INTO ${space.keyspace}.${table}_part (conversation_key, write_id, item, part, content) VALUES ('c', uuid(), ?, 0, ?) USING TIMESTAMP ?`,
          [0, id, time],
          { prepare: true },
        );
      await repository.deleteByConversationId('c');
      expect(await select(`SELECT content FROM ${table}_part`)).toEqual([{ content: 'new' }]);
    });

    it('is a window over many turns, whose trimmed messages leave one deleted range', async () => {
      const memory = new MessageWindowChatMemory({ repository, maxMessages: 20 });
      await memory.add('c', systemMessage('Be terse.'));
      for (let turn = 0; turn < 200; turn++)
        await memory.add('c', [userMessage(`question ${turn}`), assistantMessage(`answer ${turn}`)]);
      const texts = (await memory.get('c')).map(messageText);
      expect([texts[0], texts.length, texts.at(-1)]).toEqual(['Be terse.', 21, 'answer 199']);
      expect((await select(`SELECT sequence FROM ${table}`)).length).toBeLessThan(80);
      const traces: types.Uuid[] = [];
      const { client, keyspace } = space;
      const tracing: CassandraMemoryClient = {
        batch: (statements, options) => client.batch(statements, options),
        async execute(query, params, options) {
          const result = await client.execute(query, params, { ...options, traceQuery: true });
          traces.push(result.info.traceId);
          return result;
        },
      };
      const traced = new CassandraChatMemoryRepository({ client: tracing, keyspace, table });
      await traced.findByConversationId('c', { last: 20, includeSystem: true });
      expect(traces).toHaveLength(2);
      for (const trace of traces) {
        const activities = (await client.metadata.getTrace(trace)).events.map((event) =>
          String(Reflect.get(event, 'activity')),
        );
        const [, live, tombstones] = /Read (\d+) live rows and (\d+) tombstone/.exec(activities.join('\n')) ?? [];
        expect(Number(live)).toBeLessThanOrEqual(22);
        expect(Number(tombstones)).toBeLessThanOrEqual(4);
      }
    });
  });
