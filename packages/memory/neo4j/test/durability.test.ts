import { messageText, userMessage, VernalError } from '@vernal/core';
import { Neo4jChatMemoryRepository } from '@vernal/memory-neo4j';
import { describeMemoryDurability, engineStage, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { noPrivateEngine } from '../../../../scripts/services/no-private-engine.mjs';
import { startPrivateEngine } from '../../../../scripts/services/private-engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';

/** A server of Java takes its time to start, four times here. */
const timeout = 240_000;

const reason = noPrivateEngine('neo4j');
if (reason !== undefined) vitest.it.skip(`Neo4jChatMemoryRepository, killed: ${reason}`);
else {
  describeMemoryDurability(
    'Neo4jChatMemoryRepository',
    async () => {
      const engine = await startPrivateEngine('neo4j');
      return engineStage(engine, () => {
        const repository = new Neo4jChatMemoryRepository({ url: engine.url, initializeSchema: 'always' });
        return { subject: repository, close: () => repository.close() };
      });
    },
    { runner: vitestRunner(vitest), onReport: keepReport, timeout },
  );

  vitest.it(
    'a server that is away is a typed error, and the same repository goes on when it is back',
    { timeout },
    async () => {
      const engine = await startPrivateEngine('neo4j');
      try {
        await using repository = new Neo4jChatMemoryRepository({ url: engine.url, initializeSchema: 'always' });
        await using unused = new Neo4jChatMemoryRepository({ url: engine.url, initializeSchema: 'always' });
        await repository.append('c', [userMessage('before')]);
        await engine.kill();
        for (const work of [
          () => repository.append('c', [userMessage('lost')]),
          () => repository.findByConversationId('c'),
          () => unused.append('c', [userMessage('lost')]),
        ]) {
          const error: unknown = await work().catch((thrown: unknown) => thrown);
          vitest.expect(VernalError.is(error) && error.retryable && error.code).toMatch(/^store_(?:read|write)$/);
        }
        await engine.restart();
        vitest.expect(await repository.append('c', [userMessage('after')])).toEqual({ sequence: 2 });
        const { messages } = await unused.findByConversationId('c');
        vitest.expect(messages.map(messageText)).toEqual(['before', 'after']);
      } finally {
        await engine.end();
      }
    },
  );
}
