import { assistantMessage, systemMessage, userMessage } from '@vernal/core';
import { CassandraChatMemoryRepository, springAiCassandraConversations } from '@vernal/memory-cassandra';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

if ('reason' in server) it.skip(`Spring AI's table in Cassandra: ${server.reason}`);
else
  describe("Spring AI's table", () => {
    let space: TestKeyspace;
    const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
    beforeAll(async () => {
      space = await testKeyspace(server.url);
      const { client, keyspace } = space;
      const replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
      await client.execute(`CREATE KEYSPACE ${keyspace} WITH replication = ${replication}`);
      await client.execute(
        `CREATE TYPE ${keyspace}.ai_chat_message (msg_timestamp timestamp, msg_type text, msg_content text)`,
      );
      await client.execute(`CREATE TABLE ${keyspace}.ai_chat_memory (
        session_id text, message_timestamp timestamp, messages frozen<list<frozen<ai_chat_message>>>,
        PRIMARY KEY (session_id, message_timestamp)) WITH CLUSTERING ORDER BY (message_timestamp DESC)`);
    });
    afterAll(() => space.end());
    const save = async (session: string, second: number, ...messages: (readonly [string, string])[]): Promise<void> => {
      const stored = messages.map(([msg_type, msg_content]) => ({
        msg_timestamp: new Date(at(1)),
        msg_type,
        msg_content,
      }));
      await space.client.execute(
        `INSERT INTO ${space.keyspace}.ai_chat_memory (session_id, message_timestamp, messages) VALUES (?, ?, ?)`,
        [session, new Date(at(second)), stored],
        { prepare: true },
      );
    };

    it('is read, the newest row of each session, and copied', async () => {
      const { client, keyspace } = space;
      await save("o'hara", 1, ['USER', 'question']);
      await save("o'hara", 2, ['SYSTEM', 'Be terse.'], ['USER', 'question'], ['ASSISTANT', 'answer'], ['TOOL', 'x']);
      await save('cleared', 1, ['USER', 'question']);
      await save('cleared', 2);
      for (let session = 0; session < 120; session++) await save(`session ${session}`, 1, ['USER', `of ${session}`]);
      const repository = new CassandraChatMemoryRepository({ client, keyspace, initializeSchema: 'always' });
      let left = 0;
      for await (const one of springAiCassandraConversations(client, { keyspace })) {
        await repository.append(one.conversationId, one.messages, { expectedSequence: 0 });
        left += one.skipped;
      }
      expect(left).toBe(1);
      const metadata = { timestamp: at(1) };
      expect((await repository.findByConversationId("o'hara")).messages).toEqual([
        systemMessage('Be terse.', { metadata }),
        userMessage('question', { metadata }),
        assistantMessage({ text: 'answer', metadata }),
      ]);
      const ids: string[] = [];
      for await (const id of repository.findConversationIds()) ids.push(id);
      expect(ids).toHaveLength(121);
    });

    it('is named when it is not there, and when it holds what Spring AI does not write', async () => {
      const { client, keyspace } = space;
      const read = (table?: string): Promise<unknown> =>
        springAiCassandraConversations(client, { keyspace, table })[Symbol.asyncIterator]().next();
      await expect(read('none')).rejects.toMatchObject({ code: 'store_read', details: { code: 'invalid' } });
      await client.execute(`TRUNCATE ${keyspace}.ai_chat_memory`);
      await save('other', 1, ['OTHER', 'secret']);
      await expect(read()).rejects.toMatchObject({ code: 'store_read', subject: 'table' });
      const misnamed = springAiCassandraConversations(client, { keyspace: 'a b' });
      await expect(misnamed[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'invalid_argument' });
    });

    it('is left when the signal fires', async () => {
      const { client, keyspace } = space;
      const iterator = springAiCassandraConversations(client, { keyspace, signal: AbortSignal.abort() });
      await expect(iterator[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'aborted' });
    });
  });
