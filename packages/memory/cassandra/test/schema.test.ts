import { userMessage } from '@vernal/core';
import { CassandraChatMemoryRepository, cassandraSchema } from '@vernal/memory-cassandra';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

if ('reason' in server) it.skip(`the tables in Cassandra: ${server.reason}`);
else
  describe('the tables', () => {
    let space: TestKeyspace;
    beforeAll(async () => {
      space = await testKeyspace(server.url);
    });
    afterAll(() => space.end());
    const made = async (): Promise<string[]> => {
      const query = 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?';
      return (await space.client.execute(query, [space.keyspace], { prepare: true })).rows.map((row) =>
        String(row.get(0)),
      );
    };

    it('that are missing are named, and looked for again by the next call; two make them at once', async () => {
      const { client, keyspace } = space;
      const options = { client, keyspace, table: 'made' };
      const never = new CassandraChatMemoryRepository({ ...options, initializeSchema: 'never' });
      await expect(never.findByConversationId('c')).rejects.toMatchObject({
        code: 'store_read',
        message: expect.stringContaining("set initializeSchema to 'always'"),
      });
      await expect(never.append('c', [userMessage('lost')])).rejects.toMatchObject({ code: 'store_write' });
      const makers = ['a', 'b'].map(
        () => new CassandraChatMemoryRepository({ ...options, initializeSchema: 'always' }),
      );
      await Promise.all(makers.map((maker, at) => maker.append('c', [userMessage(`by ${at}`)])));
      expect(await made()).toEqual(['made', 'made_part']);
      await never.append('c', [userMessage('after')]);
      expect((await never.findByConversationId('c')).messages).toHaveLength(3);
    });

    it('are made by the statements of cassandraSchema, too, in a keyspace that is replicated as it is told', async () => {
      const { client, keyspace } = space;
      const replicated = `${keyspace}_r`;
      const replication = { class: 'NetworkTopologyStrategy', datacenter1: 1 };
      const statements = cassandraSchema({ keyspace: replicated, table: 'by_hand', replication });
      expect(statements).toHaveLength(3);
      try {
        for (const statement of statements) await client.execute(statement);
        const repository = new CassandraChatMemoryRepository({ client, keyspace: replicated, table: 'by_hand' });
        await repository.append('c', [userMessage('a')]);
        expect((await repository.findByConversationId('c')).sequence).toBe(1);
        const found = await client.execute(
          'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?',
          [replicated],
          { prepare: true },
        );
        expect(String(found.rows[0]?.get('replication')?.class)).toContain('NetworkTopologyStrategy');
      } finally {
        await client.execute(`DROP KEYSPACE IF EXISTS ${replicated}`);
      }
    });

    it('have columns by names of any kind', async () => {
      const { client, keyspace } = space;
      const columns = {
        message: 'Nachricht "1"',
        lastSequence: "x'; DROP",
        conversationKey: 'session_id',
        layout: 'λ',
      };
      const options = { client, keyspace, table: 'named', columns, initializeSchema: 'always' } as const;
      const repository = new CassandraChatMemoryRepository(options);
      await repository.append('c', [userMessage('a')], { expectedSequence: 0 });
      await repository.append('c', [userMessage('b'), userMessage('x'.repeat(50_000))], { expectedSequence: 1 });
      await expect(repository.append('c', [userMessage('lost')], { expectedSequence: 1 })).rejects.toMatchObject({
        actualSequence: 3,
      });
      await repository.deleteBefore('c', 2);
      expect((await repository.findByConversationId('c')).messages).toHaveLength(2);
      const { rows } = await client.execute(`SELECT session_id, "Nachricht ""1""" FROM ${keyspace}.named`);
      expect(rows[1]?.values()).toEqual(['c', expect.stringContaining('"b"')]);
      await repository.deleteByConversationId('c');
      expect((await client.execute(`SELECT * FROM ${keyspace}.named`)).rows).toEqual([]);
    });

    it('of another layout, and conversations of a later release, are refused', async () => {
      const { client, keyspace } = space;
      await client.execute(
        `CREATE TABLE ${keyspace}.other (session_id text, time timestamp, PRIMARY KEY (session_id, time))`,
      );
      const other = new CassandraChatMemoryRepository({ client, keyspace, table: 'other', initializeSchema: 'always' });
      await expect(other.findByConversationId('c')).rejects.toMatchObject({
        code: 'store_read',
        message: expect.stringContaining('has other columns'),
      });
      const repository = new CassandraChatMemoryRepository({
        client,
        keyspace,
        table: 'made',
        initializeSchema: 'always',
      });
      const { sequence } = await repository.append('newer', [userMessage('a')]);
      const later = `UPDATE ${keyspace}.made SET layout = 2 WHERE conversation_key = 'newer' IF layout = 1`;
      expect((await client.execute(later)).wasApplied()).toBe(true);
      const refused = { code: 'invalid_state', subject: 'layout' };
      await expect(repository.findByConversationId('newer')).rejects.toMatchObject(refused);
      await expect(repository.append('newer', [userMessage('b')])).rejects.toMatchObject(refused);
      const expected = { expectedSequence: sequence };
      await expect(repository.append('newer', [userMessage('b')], expected)).rejects.toMatchObject(refused);
      await expect(repository.saveAll('newer', [])).rejects.toMatchObject(refused);
      await expect(repository.deleteBefore('newer', 1)).rejects.toMatchObject(refused);
      await expect(repository.deleteByConversationId('newer')).rejects.toMatchObject(refused);
    });
  });
