import { type Container, CosmosClient } from '@azure/cosmos';
import { CosmosDbChatMemoryRepository, type CosmosDbChatMemoryRepositoryOptions } from '@vernal/memory-cosmos-db';
import { afterEach, beforeEach } from 'vitest';
import { CosmosServer } from './server/cosmos-server.js';

/** A server of its own for each test, with what a test asks for. */
export interface Stage {
  readonly server: CosmosServer;
  /** With a client of its own, as in another process. */
  repository(options?: Partial<CosmosDbChatMemoryRepositoryOptions>): CosmosDbChatMemoryRepository;
  /** Past the repository. */
  container(): Container;
  /** All items of a conversation but the one that says where it stands. */
  items(conversationKey: string): Promise<readonly Record<string, unknown>[]>;
}

/** The stage of the test that runs. */
export function eachWithServer(): Stage {
  let server: CosmosServer;
  let client: CosmosClient;
  let repositories: CosmosDbChatMemoryRepository[] = [];
  beforeEach(async () => {
    server = new CosmosServer();
    await server.listen();
    client = new CosmosClient(server.account);
  });
  afterEach(async () => {
    for (const repository of repositories) await repository.close();
    repositories = [];
    client.dispose();
    await server.close();
  });
  const container = (): Container => client.database('VernalChatMemory').container('ChatMemory');
  return {
    get server() {
      return server;
    },
    repository(options = {}) {
      const given = options.client ?? options.container ?? options.endpoint;
      const repository = new CosmosDbChatMemoryRepository({
        ...(given === undefined && server.account),
        initializeSchema: 'always',
        ...options,
      });
      repositories.push(repository);
      return repository;
    },
    container,
    async items(conversationKey) {
      const query = "SELECT * FROM c WHERE c.kind != 'conversation'";
      const options = { partitionKey: conversationKey };
      return (await container().items.query({ query, parameters: [] }, options).fetchAll()).resources;
    },
  };
}

export async function idsOf(repository: CosmosDbChatMemoryRepository): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of repository.findConversationIds()) ids.push(id);
  return ids;
}
