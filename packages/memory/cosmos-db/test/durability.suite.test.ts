import { CosmosDbChatMemoryRepository } from '@vernal/memory-cosmos-db';
import { describeMemoryDurability, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import type { RunningProgram } from '../../../../scripts/run-program.mjs';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { containerName } from './account.js';
import { appendInProcess } from './other-process.js';
import { CosmosServer } from './server/cosmos-server.js';

// The service is not here to be killed. What is killed is the process that writes.
describeMemoryDurability(
  'CosmosDbChatMemoryRepository in a process of its own',
  async () => {
    const server = new CosmosServer();
    await server.listen();
    const name = containerName();
    const writers: RunningProgram[] = [];
    return {
      async write({ stored, ...turns }) {
        const writer = await appendInProcess({ ...turns, ...server.account, containerName: name }, stored);
        writers.push(writer);
        await writer.ended;
      },
      async kill() {
        for (const writer of writers.splice(0)) {
          writer.kill();
          await writer.ended;
        }
      },
      async open() {
        const repository = new CosmosDbChatMemoryRepository({ ...server.account, containerName: name });
        return { subject: repository, close: () => repository.close() };
      },
      async end() {
        for (const writer of writers) writer.kill();
        await server.close();
      },
    };
  },
  { runner: vitestRunner(vitest), onReport: keepReport },
);
