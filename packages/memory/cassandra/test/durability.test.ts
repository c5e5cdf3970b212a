import { type ChatMemoryRepository, userMessage } from '@vernal/core';
import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { describeMemoryDurability, engineStage, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { noPrivateEngine } from '../../../../scripts/services/no-private-engine.mjs';
import { type PrivateEngine, startPrivateEngine } from '../../../../scripts/services/private-engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';

const reason = noPrivateEngine('cassandra');

if (reason !== undefined) vitest.it.skip(`CassandraChatMemoryRepository, killed: ${reason}`);
else {
  let engine: PrivateEngine;
  const connect = (): { readonly subject: ChatMemoryRepository; close(): Promise<void> } => {
    const repository = new CassandraChatMemoryRepository({ url: engine.url, initializeSchema: 'always' });
    return { subject: repository, close: () => repository.close() };
  };
  describeMemoryDurability(
    'CassandraChatMemoryRepository',
    async () => {
      engine = await startPrivateEngine('cassandra');
      return engineStage(engine, connect);
    },
    { runner: vitestRunner(vitest), onReport: keepReport, timeout: 240_000 },
  );

  vitest.it('is there again for the same repository when the server is', { timeout: 240_000 }, async () => {
    engine = await startPrivateEngine('cassandra');
    const { subject, close } = connect();
    try {
      await subject.append('c', [userMessage('one')]);
      await engine.kill();
      const failed = { code: vitest.expect.stringMatching(/^store_(read|write)$/), retryable: true };
      await vitest.expect(subject.findByConversationId('c')).rejects.toMatchObject(failed);
      await vitest.expect(subject.append('c', [userMessage('lost')])).rejects.toMatchObject(failed);
      await engine.restart();
      await subject.append('c', [userMessage('two')]);
      const { messages } = await subject.findByConversationId('c');
      vitest.expect(messages).toEqual([userMessage('one'), userMessage('two')]);
    } finally {
      await close();
      await engine.end();
    }
  });
}
