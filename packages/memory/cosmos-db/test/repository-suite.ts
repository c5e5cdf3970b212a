import { type Container, CosmosClient } from '@azure/cosmos';
import { CosmosDbChatMemoryRepository } from '@vernal/memory-cosmos-db';
import { describeMemoryRepository, type MemoryRepositorySuiteOptions, vitestRunner } from '@vernal/testing/memory';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { type Account, containerName } from './account.js';
import { appendInProcess } from './other-process.js';

/** The conformance suite over one account, with the SDK in between. */
export function describeRepositoryOn(
  name: string,
  account: () => Account,
  options: Pick<MemoryRepositorySuiteOptions, 'commands'> = {},
): void {
  const names = new Map<string, string>();
  let client: CosmosClient;
  vitest.beforeAll(() => {
    client = new CosmosClient({ ...account() });
  });
  vitest.afterAll(() => client.dispose());
  const nameOf = (namespace: string): string => {
    const found = names.get(namespace) ?? containerName();
    names.set(namespace, found);
    return found;
  };
  const containerOf = (namespace: string): Container =>
    client.database('VernalChatMemory').container(nameOf(namespace));
  describeMemoryRepository(
    name,
    ({ namespace }) => {
      const repository = new CosmosDbChatMemoryRepository({
        ...account(),
        containerName: nameOf(namespace),
        initializeSchema: 'always',
        pageSize: 50,
      });
      return {
        subject: repository,
        async close() {
          await repository.close();
          // Another one of the same case may have been quicker.
          await containerOf(namespace)
            .delete()
            .catch(() => undefined);
        },
      };
    },
    {
      runner: vitestRunner(vitest),
      onReport: keepReport,
      ...options,
      async tamper({ namespace, conversationId, sequence, message }) {
        const { items } = containerOf(namespace);
        const query = "SELECT * FROM c WHERE c.kind = 'message' AND c.sequence = @sequence";
        const { resources } = await items
          .query({ query, parameters: [{ name: '@sequence', value: sequence }] }, { partitionKey: conversationId })
          .fetchAll();
        vitest.expect(resources).toHaveLength(1);
        const resourceBody = { ...resources[0], message };
        const { result } = await items.batch([{ operationType: 'Upsert', resourceBody }], conversationId);
        vitest.expect(result?.[0]?.statusCode).toBe(200);
      },
      async otherProcess({ namespace, ...turns }) {
        const process = await appendInProcess({ ...turns, ...account(), containerName: nameOf(namespace) });
        await process.ended;
      },
    },
  );
}
