import { type ChatMemoryRepository, userMessage } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { describeMemoryDurability, engineStage, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { noPrivateEngine } from '../../../../scripts/services/no-private-engine.mjs';
import { type PrivateEngine, startPrivateEngine } from '../../../../scripts/services/private-engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';

const reason = noPrivateEngine('mongo');

if (reason !== undefined) vitest.it.skip(`MongoChatMemoryRepository, killed: ${reason}`);
else {
  let engine: PrivateEngine;
  const connect = (): { readonly subject: ChatMemoryRepository; close(): Promise<void> } => {
    const repository = new MongoChatMemoryRepository({
      url: `${engine.url}?serverSelectionTimeoutMS=1000`,
      initializeSchema: 'always',
    });
    return { subject: repository, close: () => repository.close() };
  };
  describeMemoryDurability(
    'MongoChatMemoryRepository',
    async () => {
      engine = await startPrivateEngine('mongo');
      return engineStage(engine, connect);
    },
    { runner: vitestRunner(vitest), onReport: keepReport, timeout: 180_000 },
  );

  vitest.it('is there again for the same repository when the server is', { timeout: 180_000 }, async () => {
    engine = await startPrivateEngine('mongo');
    const { subject, close } = connect();
    try {
      await engine.kill();
      const failed = { code: vitest.expect.stringMatching(/^store_(read|write)$/), retryable: true };
      await vitest.expect(subject.append('c', [userMessage('lost')])).rejects.toMatchObject(failed);
      await engine.restart();
      await subject.append('c', [userMessage('one')]);
      await engine.kill();
      await vitest.expect(subject.findByConversationId('c')).rejects.toMatchObject(failed);
      await vitest.expect(subject.append('c', [userMessage('lost')])).rejects.toMatchObject(failed);
      await engine.restart();
      await subject.append('c', [userMessage('two')]);
      vitest
        .expect((await subject.findByConversationId('c')).messages)
        .toEqual([userMessage('one'), userMessage('two')]);
    } finally {
      await close();
      await engine.end();
    }
  });
}
