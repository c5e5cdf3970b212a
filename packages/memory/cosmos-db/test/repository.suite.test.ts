import { afterAll, beforeAll, describe, it } from 'vitest';
import { accountOf } from './account.js';
import { describeRepositoryOn } from './repository-suite.js';
import { CosmosServer } from './server/cosmos-server.js';

describe("a server of the tests that is written from the vendor's documentation", () => {
  const server = new CosmosServer();
  beforeAll(() => server.listen());
  afterAll(() => server.close());
  describeRepositoryOn('CosmosDbChatMemoryRepository over the documented REST API', () => server.account, {
    commands: () => server.taken(),
  });
});

const connectionString = process.env['VERNAL_COSMOS_DB_URL'];

if (connectionString === undefined)
  it.skip('CosmosDbChatMemoryRepository on an account: VERNAL_COSMOS_DB_URL is not set');
else describeRepositoryOn('CosmosDbChatMemoryRepository on an account', () => accountOf(connectionString));
