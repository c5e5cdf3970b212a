import { CassandraChatMemoryRepository } from '@vernal/memory-cassandra';
import { describeMemoryRepository, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { countedClient } from './counted-client.js';
import { appendInProcess } from './other-process.js';
import { type TestKeyspace, testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

const TABLE = 'suite';

if ('reason' in server) vitest.it.skip(`CassandraChatMemoryRepository: ${server.reason}`);
else
  vitest.describe('Cassandra', () => {
    let space: TestKeyspace;
    let counted: ReturnType<typeof countedClient>;
    vitest.beforeAll(async () => {
      space = await testKeyspace(server.url);
      counted = countedClient(space.client);
    });
    vitest.afterAll(() => space.end());
    describeMemoryRepository(
      'CassandraChatMemoryRepository',
      () => {
        const { keyspace } = space;
        const { client } = counted;
        const repository = new CassandraChatMemoryRepository({
          client,
          keyspace,
          table: TABLE,
          initializeSchema: 'always',
          pageSize: 50,
        });
        return {
          subject: repository,
          async close() {
            await repository.close();
            await space.empty(TABLE);
          },
        };
      },
      {
        runner: vitestRunner(vitest),
        onReport: keepReport,
        timeout: 180_000,
        commands: () => counted.taken(),
        async tamper({ conversationId, sequence, message }) {
          const text = `UPDATE ${space.keyspace}.${TABLE} SET message = ?
            WHERE conversation_key = ? AND is_system = false AND sequence = ? IF EXISTS`;
          const result = await space.client.execute(text, [message, conversationId, sequence], { prepare: true });
          vitest.expect(result.wasApplied()).toBe(true);
        },
        async otherProcess(turns) {
          await appendInProcess({ ...turns, url: server.url, keyspace: space.keyspace, table: TABLE });
        },
      },
    );
  });
