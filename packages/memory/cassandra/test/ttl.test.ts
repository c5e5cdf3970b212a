import { systemMessage, userMessage } from '@vernal/core';
import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

if ('reason' in server) it.skip(`time to live in Cassandra: ${server.reason}`);
else
  describe('time to live', () => {
    const table = 'ttl';
    const ttlMs = 600_000;
    let space: TestKeyspace;
    const repositoryFor = (milliseconds: number | undefined): CassandraChatMemoryRepository => {
      const { client, keyspace } = space;
      return new CassandraChatMemoryRepository({
        client,
        keyspace,
        table,
        ttlMs: milliseconds,
        initializeSchema: 'always',
      });
    };
    beforeAll(async () => {
      space = await testKeyspace(server.url);
      await repositoryFor(undefined).findByConversationId('c');
    });
    afterEach(() => space.empty(table));
    afterAll(() => space.end());
    const select = async (columns: string, from: string): Promise<unknown[][]> =>
      (await space.client.execute(`SELECT ${columns} FROM ${space.keyspace}.${from}`)).rows.map((row) => row.values());

    it('is on all that is written: rows, what the conversation is at, and parts, which go last', async () => {
      const repository = repositoryFor(ttlMs);
      await repository.append('c', [userMessage('a'), userMessage('x'.repeat(40_000))]);
      await repository.deleteBefore('c', 1);
      const columns = ['type', 'text', 'created_at', 'write_id', 'last_sequence', 'conversation_id', 'generation'];
      columns.push('last_write', 'layout', 'has_parts', 'first_sequence');
      const rows = await select(columns.map((column) => `TTL(${column})`).join(', '), table);
      expect(rows).toHaveLength(2);
      for (const seconds of rows.flat()) expect(seconds).toBeOneOf([598, 599, 600]);
      const [[left] = []] = await select('TTL(content)', `${table}_part`);
      expect(left).toBeOneOf([4198, 4199, 4200]);
    });

    it('is renewed by each append for the conversation, and not for the messages that are there', async () => {
      const { client, keyspace } = space;
      await repositoryFor(60_000).append('c', [userMessage('old')]);
      await repositoryFor(ttlMs).append('c', [userMessage('new')]);
      const { rows } = await client.execute(
        `SELECT TTL(type), TTL(last_sequence), TTL(conversation_id) FROM ${keyspace}.${table} WHERE conversation_key = 'c'`,
      );
      expect(rows.map((row) => row.values().map((seconds) => Number(seconds) > 60))).toEqual([
        [true, true, true],
        [false, true, true],
      ]);
    });

    it('ends: the conversation is gone, and begins anew', async () => {
      const repository = repositoryFor(1);
      await repository.append('c', [userMessage('a')]);
      await vi.waitUntil(async () => (await repository.findByConversationId('c')).sequence === 0, { timeout: 60_000 });
      expect(await select('conversation_key', table)).toEqual([]);
      expect(await repository.append('c', [userMessage('b')], { expectedSequence: 0 })).toEqual({ sequence: 1 });
    });

    it('that differed leaves nothing to a conversation that begins anew', async () => {
      const { client, keyspace } = space;
      const repository = repositoryFor(ttlMs);
      for (const expectedSequence of [undefined, 0]) {
        await repositoryFor(undefined).append('c', [systemMessage('old'), userMessage('old'), userMessage('old')]);
        await repositoryFor(undefined).deleteBefore('c', 3, { keepSystem: true });
        await client.execute(
          `DELETE last_sequence FROM ${keyspace}.${table} WHERE conversation_key = 'c' IF layout = 1`,
        );
        expect((await repository.findByConversationId('c')).messages).toEqual([]);
        await repository.append('c', [userMessage('new')], { expectedSequence });
        expect((await repository.findByConversationId('c')).messages).toEqual([userMessage('new')]);
        await repository.append('c', [userMessage('newer'), userMessage('newest')]);
        expect((await repository.findByConversationId('c')).messages).toHaveLength(3);
        await repository.deleteByConversationId('c');
      }
    });

    it('is none where none is wanted', async () => {
      await repositoryFor(undefined).append('c', [userMessage('a')]);
      expect(await select('TTL(type), TTL(last_sequence)', table)).toEqual([[null, null]]);
    });
  });
