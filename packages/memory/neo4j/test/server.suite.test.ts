import { Neo4jChatMemoryRepository } from '@vernal/memory-neo4j';
import { describeMemoryRepository, vitestRunner } from '@vernal/testing/memory';
import neo4j from 'neo4j-driver';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { countedDriver } from './counted-driver.js';
import { appendInProcess } from './other-process.js';
import { cleared, emptied, query, uniqueLabels } from './server.js';

const found = engine('neo4j');
if ('reason' in found) vitest.it.skip(`Neo4jChatMemoryRepository on a server: ${found.reason}`);
else {
  const driver = neo4j.driver(found.url);
  const { driver: counted, taken } = countedDriver(driver);
  // One case after the other: a schema of its own for each would take most of the time.
  const labels = uniqueLabels();
  vitest.afterAll(async () => {
    await cleared(driver, labels);
    await driver.close();
  });
  describeMemoryRepository(
    'Neo4jChatMemoryRepository on a server',
    () => {
      const options = { driver: counted, labels, initializeSchema: 'always', pageSize: 10 } as const;
      const repository = new Neo4jChatMemoryRepository(options);
      return {
        subject: repository,
        async close() {
          await repository.close();
          await emptied(driver, labels);
        },
      };
    },
    {
      runner: vitestRunner(vitest),
      onReport: keepReport,
      commands: taken,
      async tamper({ conversationId, sequence, message }) {
        const text = `MATCH (m:${labels.message} {session: $conversationId, sequence: $sequence})
SET m.message = $message RETURN m.message`;
        const rows = await query(driver, text, { conversationId, sequence: BigInt(sequence), message });
        vitest.expect(rows, 'messages that were replaced').toHaveLength(1);
      },
      otherProcess: (turns) => appendInProcess({ ...turns, url: found.url, labels }),
    },
  );
}
