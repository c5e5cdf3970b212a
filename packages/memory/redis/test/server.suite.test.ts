import { RedisChatMemoryRepository, type RedisChatMemoryRepositoryOptions } from '@vernal/memory-redis';
import { describeMemoryRepository, vitestRunner } from '@vernal/testing/memory';
import { Redis } from 'ioredis';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { countedClient } from './counted-client.js';
import { appendInProcess } from './other-process.js';
import { cleared, type DriverOptions, uniqueName } from './server.js';

const setUps: readonly [string, Partial<RedisChatMemoryRepositoryOptions>, DriverOptions][] = [
  ['a server', {}, {}],
  ['a server, RESP2, ttlMs', { ttlMs: 600_000 }, { protocol: 2 }],
  ['a server, searched', { initializeSchema: 'always', metadataFields: { a: 'numeric', state: 'tag' } }, {}],
];

const found = engine('redis');
if ('reason' in found) vitest.it.skip(`RedisChatMemoryRepository on a server: ${found.reason}`);
else {
  for (const [name, options, driver] of setUps) {
    const client = new Redis(found.url, driver);
    vitest.afterAll(() => client.quit());
    const run = uniqueName();
    const nameOf = (namespace: string): string => `${run}_${namespace}`;
    const { client: counted, taken } = countedClient(client);
    describeMemoryRepository(
      `RedisChatMemoryRepository on ${name}`,
      ({ namespace }) => {
        const own = nameOf(namespace);
        const repository = new RedisChatMemoryRepository({
          client: counted,
          keyPrefix: `${own}:`,
          pageSize: 10,
          ...options,
          ...(options.metadataFields === undefined ? {} : { indexName: own }),
        });
        return {
          subject: repository,
          async close() {
            await repository.close();
            await cleared(client, own);
          },
        };
      },
      {
        runner: vitestRunner(vitest),
        onReport: keepReport,
        commands: taken,
        async tamper({ namespace, conversationId, sequence, message }) {
          const entry = `{"createdAt":1,"message":${message}}`;
          const added = await client.hset(`${nameOf(namespace)}:{${conversationId}}`, String(sequence), entry);
          vitest.expect(added, 'fields that were not there before').toBe(0);
        },
        otherProcess: ({ namespace, ...turns }) =>
          appendInProcess({ ...turns, url: found.url, keyPrefix: `${nameOf(namespace)}:` }),
      },
    );
  }
}
