import { userMessage, VernalError } from '@vernal/core';
import { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { describeMemoryDurability, engineStage, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { startPrivateEngine } from '../../../../scripts/services/private-engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { noLocalServer } from './plain-server.mjs';

const reason = noLocalServer();
if (reason !== undefined) vitest.it.skip(`RedisChatMemoryRepository, killed: ${reason}`);
else {
  describeMemoryDurability(
    'RedisChatMemoryRepository',
    async () => {
      const engine = await startPrivateEngine('redis');
      return engineStage(engine, () => {
        const repository = new RedisChatMemoryRepository({ url: engine.url, search: true });
        return { subject: repository, close: () => repository.close() };
      });
    },
    { runner: vitestRunner(vitest), onReport: keepReport },
  );

  vitest.it('a server that is away is a typed error, and the same repository goes on when it is back', async () => {
    const engine = await startPrivateEngine('redis');
    vitest.onTestFinished(() => engine.end());
    const options = { url: engine.url, indexName: 'away', initializeSchema: 'always' } as const;
    await using repository = new RedisChatMemoryRepository(options);
    await repository.append('c', [userMessage('before')]);
    await engine.kill();
    for (const work of [
      () => repository.append('c', [userMessage('lost')]),
      () => repository.findByConversationId('c'),
      () => repository.findByContent('before'),
    ]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown);
      vitest.expect(VernalError.is(error) && error.retryable && error.code).toMatch(/^store_(?:read|write)$/);
    }
    await engine.restart();
    vitest.expect(await repository.append('c', [userMessage('after')])).toEqual({ sequence: 2 });
    vitest.expect(await repository.findByContent('before')).toMatchObject([{ sequence: 1 }]);
  });
}
