import { PGlite } from '@electric-sql/pglite';
import { assistantMessage, InMemoryChatMemoryRepository, systemMessage, userMessage } from '@vernal/core';
import { JdbcChatMemoryRepository, migrateSpringAiMemory, springAiConversations } from '@vernal/memory-jdbc';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;

describe("Spring AI's table in SQLite", () => {
  let client: Database.Database;
  beforeEach(() => {
    client = new Database(':memory:');
    client.exec(`CREATE TABLE SPRING_AI_CHAT_MEMORY (
      conversation_id TEXT NOT NULL, content TEXT NOT NULL, type TEXT NOT NULL, timestamp INTEGER NOT NULL, sequence_id INTEGER NOT NULL)`);
  });
  afterEach(() => {
    client.close();
  });
  const row = (id: string, content: string, type: string, second: number, sequence: number): void => {
    client
      .prepare('INSERT INTO SPRING_AI_CHAT_MEMORY VALUES (?, ?, ?, ?, ?)')
      .run(id, content, type, Date.parse(at(second)), sequence);
  };

  it('is read in the order of its sequence, and copied once', async () => {
    row('b', 'answer', 'ASSISTANT', 1, 2);
    row('b', 'question', 'USER', 1, 1);
    row('b', 'Be terse.', 'SYSTEM', 1, 0);
    row('b', 'result', 'TOOL', 1, 3);
    row("a'b", 'hi', 'USER', 2, 0);
    row('only tools', 'result', 'TOOL', 1, 0);
    const repository = new JdbcChatMemoryRepository({ client });
    const moved = await migrateSpringAiMemory({ from: client, to: repository });
    expect(moved).toEqual({ conversations: 2, messages: 4, skipped: 2, existing: 0 });
    const metadata = { timestamp: at(1) };
    expect((await repository.findByConversationId('b')).messages).toEqual([
      systemMessage('Be terse.', { metadata }),
      userMessage('question', { metadata }),
      assistantMessage({ text: 'answer', metadata }),
    ]);
    await repository.append('b', [userMessage('more')]);
    expect(await migrateSpringAiMemory({ from: client, to: repository })).toEqual({
      conversations: 0,
      messages: 0,
      skipped: 2,
      existing: 2,
    });
    expect((await repository.findByConversationId('b')).messages).toHaveLength(4);
    expect(client.prepare('SELECT count(*) AS n FROM SPRING_AI_CHAT_MEMORY').all()).toEqual([{ n: 6 }]);
  });

  it('is named when it is not there, or holds what Spring AI does not write', async () => {
    await expect(
      migrateSpringAiMemory({ from: client, to: new InMemoryChatMemoryRepository(), table: 'none' }),
    ).rejects.toMatchObject({ code: 'store_read' });
    row('b', 'secret', 'OTHER', 1, 1);
    const error = await migrateSpringAiMemory({ from: client, to: new InMemoryChatMemoryRepository() }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'store_read', subject: 'table' });
    expect(String(error)).not.toContain('secret');
  });

  it('is left when the signal fires', async () => {
    row('a', 'x', 'USER', 1, 1);
    row('b', 'x', 'USER', 1, 1);
    const controller = new AbortController();
    const read: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { conversationId } of springAiConversations(client, { signal: controller.signal })) {
        read.push(conversationId);
        controller.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'aborted' });
    expect(read).toEqual(['a']);
  });
});

it("Spring AI's table of 1.x in PostgreSQL is read by its timestamps", async () => {
  await using lite = Object.assign(await PGlite.create(), {
    [Symbol.asyncDispose](this: PGlite) {
      return this.close();
    },
  });
  await lite.exec(`CREATE TABLE SPRING_AI_CHAT_MEMORY (
    conversation_id VARCHAR(36) NOT NULL, content TEXT NOT NULL, type VARCHAR(10) NOT NULL, "timestamp" TIMESTAMP NOT NULL);
    INSERT INTO SPRING_AI_CHAT_MEMORY VALUES ('c', 'second', 'ASSISTANT', '2026-01-02 03:04:06'), ('c', 'first', 'USER', '2026-01-02 03:04:05')`);
  const to = new InMemoryChatMemoryRepository();
  await migrateSpringAiMemory({ from: lite, to });
  const { messages } = await to.findByConversationId('c');
  expect(messages.map((message) => message.type)).toEqual(['user', 'assistant']);
});
