import { messageText, systemMessage, userMessage } from '@vernal/core';
import type { Neo4jChatMemoryRepository } from '@vernal/memory-neo4j';
import { expect, it, vi } from 'vitest';
import { describeOnServer } from './server.js';

const COUNT = 20;
const ROUNDS = 60;
/** The server may have to plan the statement first. */
const PATIENCE = { timeout: 60_000 };

function generation(round: number) {
  return Array.from({ length: COUNT }, (_, index) =>
    index === 0 ? systemMessage(`${round}`) : userMessage(`${round}`),
  );
}

describeOnServer('a conversation that others change', (server) => {
  it('is read as it was between two writes, never as a mixture', { timeout: 180_000 }, async () => {
    const repository = server.repository();
    await repository.append('c', generation(0));
    let isWriting = true;
    let reads = 0;
    const read = async (): Promise<void> => {
      while (isWriting) {
        const { messages, sequences, sequence } = await repository.findByConversationId('c', {
          last: COUNT,
          includeSystem: true,
        });
        reads++;
        expect([messages.length, new Set(messages.map(messageText)).size]).toEqual([COUNT, 1]);
        expect([sequences[0], sequences.at(-1)]).toEqual([sequence - COUNT + 1, sequence]);
      }
    };
    const write = async (): Promise<void> => {
      try {
        for (let round = 1; round <= ROUNDS; round++) await repository.saveAll('c', generation(round));
      } finally {
        isWriting = false;
      }
    };
    await Promise.all([write(), read(), read(), read(), read(), read()]);
    expect(reads).toBeGreaterThan(ROUNDS);
  });

  it('is never half there, and no call fails, when it is deleted, written, trimmed and read at once', {
    timeout: 180_000,
  }, async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    const turns: ((one: Neo4jChatMemoryRepository) => Promise<unknown>)[] = [
      (one) => one.append('c', generation(1)),
      (one) => one.append('c', generation(2)),
      (one) => one.saveAll('c', generation(3)),
      (one) => one.deleteByConversationId('c'),
      (one) => one.deleteBefore('c', 5),
      (one) => one.findByConversationId('c'),
    ];
    await Promise.all(
      turns.map(async (turn) => {
        for (let round = 0; round < 15; round++) await turn(repository);
      }),
    );
    await repository.append('c', generation(4));
    const [sessions] = await server.query(`MATCH (s:${labels.session}) RETURN count(s) AS n`);
    expect(sessions).toEqual({ n: 1 });
    const { sequences } = await repository.findByConversationId('c');
    const [messages] = await server.query(`MATCH (m:${labels.message}) RETURN count(m) AS n`);
    expect(messages, 'messages, those of no conversation included').toEqual({ n: sequences.length });
  });

  it.each([
    ['append', (one: Neo4jChatMemoryRepository) => one.append('c', generation(2)), COUNT],
    ['saveAll', (one: Neo4jChatMemoryRepository) => one.saveAll('c', generation(2)), COUNT],
    ['deleteBefore', (one: Neo4jChatMemoryRepository) => one.deleteBefore('c', 5), 0],
    ['deleteByConversationId', (one: Neo4jChatMemoryRepository) => one.deleteByConversationId('c'), 0],
    ['findByConversationId', (one: Neo4jChatMemoryRepository) => one.findByConversationId('c'), 0],
  ])('%s, which waits for somebody who then deletes it, finds none', async (_, call, count) => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    await repository.append('c', generation(1));
    const session = server.driver.session();
    const deleting = session.beginTransaction();
    await deleting.run(`MATCH (s:${labels.session}) SET s += {}`);
    const calling = call(repository);
    await vi.waitFor(async () => {
      const text = `SHOW TRANSACTIONS YIELD currentQuery, status
WHERE currentQuery CONTAINS $label AND status STARTS WITH 'Blocked' RETURN 1`;
      expect(await server.query(text, { label: labels.session })).toHaveLength(1);
    }, PATIENCE);
    await deleting.run(`MATCH (n) WHERE n:${labels.session} OR n:${labels.message} DETACH DELETE n`);
    await deleting.commit();
    await session.close();
    await calling;
    const { messages, sequence } = await repository.findByConversationId('c');
    expect([messages.length, sequence]).toEqual([count, count]);
  });
});
