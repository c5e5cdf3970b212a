import { type ContainerRequest, CosmosClient } from '@azure/cosmos';
import { assistantMessage, MessageWindowChatMemory, messageText, toolResponseMessage, userMessage } from '@vernal/core';
import { type CosmosDbChatMemoryRepository, containerDefinition } from '@vernal/memory-cosmos-db';
import { expect, it } from 'vitest';
import { eachWithServer } from './stage.js';

const stage = eachWithServer();

it('the database and the container are made at the first use, once, and only where they may', async () => {
  const never = stage.repository({ initializeSchema: 'never' });
  await expect(never.append('c', [userMessage('a')])).rejects.toMatchObject({
    code: 'store_write',
    subject: 'initializeSchema',
    retryable: false,
    message: expect.stringContaining("set initializeSchema to 'always'"),
    details: { status: 404 },
  });
  const embedded = stage.repository({ initializeSchema: 'embedded' });
  await expect(embedded.findByConversationId('c')).rejects.toMatchObject({ code: 'store_read' });
  expect(stage.server.databases.size).toBe(0);
  const made: string[] = [];
  stage.server.intercept = ({ method, path }) => {
    if (method === 'POST' && /\/(dbs|colls)$/.test(path)) made.push(path);
    return undefined;
  };
  const repository = stage.repository();
  await Promise.all([repository.append('c', [userMessage('a')]), repository.append('c', [userMessage('b')])]);
  expect(made).toEqual(['/dbs', '/dbs/VernalChatMemory/colls']);
  // The one that has failed looks again.
  expect((await never.findByConversationId('c')).messages).toHaveLength(2);
});

it('two that make it at once both have it', async () => {
  const repositories = Array.from({ length: 4 }, () => stage.repository({ containerName: 'both' }));
  await Promise.all(repositories.map((one, index) => one.append('c', [userMessage(`${index}`)])));
  expect((await repositories[0]?.findByConversationId('c'))?.messages).toHaveLength(4);
});

it('what is made has the options of a container', async () => {
  const headers: unknown[] = [];
  stage.server.intercept = (request) => {
    if (request.path.endsWith('/colls') && request.method === 'POST')
      headers.push(request.headers['x-ms-offer-throughput'] ?? request.headers['x-ms-cosmos-offer-autopilot-settings']);
    return undefined;
  };
  const names = { databaseName: 'a database', containerName: 'ä container' };
  await stage.repository({ ...names, throughput: 400 }).findByConversationId('c');
  await stage.repository({ containerName: 'b', maxThroughput: 4000 }).findByConversationId('c');
  expect(headers).toEqual(['400', '{"maxThroughput":4000}']);
  expect(stage.server.databases.get('a database')?.get('ä container')?.body).toEqual({
    id: 'ä container',
    partitionKey: { paths: ['/conversationKey'], kind: 'Hash', version: 2 },
    indexingPolicy: {
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/message/?' }, { path: '/text/?' }, { path: '/writes/*' }, { path: '/"_etag"/?' }],
    },
    defaultTtl: -1,
  });
});

it.each([
  ['another partition key', { partitionKey: { paths: ['/conversationId'], version: 2 } }, 'not partitioned by'],
  ['short partition keys', { partitionKey: { paths: ['/conversationKey'] } }, 'version 1'],
  ['a time to live of each item', { defaultTtl: 3600 }, 'set it to -1'],
  ['no time to live', { defaultTtl: undefined }, 'which ttlMs needs'],
  ['no index', { indexingPolicy: { indexingMode: 'none' } }, 'no index'],
])('a container is refused that has %s', async (_, change, words) => {
  const client = new CosmosClient(stage.server.account);
  const { database } = await client.databases.create({ id: 'd' });
  await database.containers.create({ ...containerDefinition('mine'), ...change } as ContainerRequest);
  const repository = stage.repository({ container: database.container('mine'), ttlMs: 3_600_000 });
  await expect(repository.append('c', [userMessage('a')])).rejects.toMatchObject({
    code: 'invalid_state',
    subject: 'container',
    message: expect.stringContaining(words),
  });
  client.dispose();
});

it('a conversation of a newer layout is refused, and others are not touched', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('a')]);
  await repository.append('other', [userMessage('b')]);
  const { resource } = await stage.container().item('conversation', 'c').read();
  await stage.container().items.batch([{ operationType: 'Upsert', resourceBody: { ...resource, layout: 2 } }], 'c');
  const refused = { code: 'invalid_state', details: { version: 2, supported: 1 } };
  await expect(repository.findByConversationId('c')).rejects.toMatchObject(refused);
  await expect(repository.append('c', [userMessage('a')])).rejects.toMatchObject(refused);
  expect((await repository.findByConversationId('other')).messages).toHaveLength(1);
});

it('what is stored is what people query', async () => {
  const repository = stage.repository();
  const id = 'nul\0in/and #?\\';
  await repository.append(id, [userMessage('x\0y'), toolResponseMessage([{ id: 'c', name: 'f', result: 'rain' }])]);
  const query = 'SELECT c.conversationKey, c.conversationId, c.sequence FROM c WHERE c.kind = "conversation"';
  const { resources } = await stage.container().items.query({ query, parameters: [] }).fetchAll();
  const key = expect.stringMatching(/^sha256-[0-9a-f]{64}$/);
  expect(resources).toEqual([{ conversationKey: key, conversationId: 'json:"nul\\u0000in/and #?\\\\"', sequence: 2 }]);
  const items = await stage.items(String(resources[0]?.conversationKey));
  expect(items.map(({ kind, sequence, type, text }) => ({ kind, sequence, type, text }))).toEqual([
    { kind: 'message', sequence: 1, type: 'user', text: 'x\ufffdy' },
    { kind: 'message', sequence: 2, type: 'tool', text: 'rain' },
  ]);
  for (const { id: item, createdAt, message } of items) {
    expect(item).toMatch(/^[\w-]+\.\d+$/);
    expect(new Date(String(createdAt)).toISOString()).toBe(createdAt);
    expect(JSON.parse(String(message))).toMatchObject({ v: 1 });
  }
});

it('keeps a window over it, from the container, the client or the endpoint', async () => {
  const client = new CosmosClient(stage.server.account);
  const container = client.database('VernalChatMemory').container('ChatMemory');
  for (const options of [{ client }, { container }, {}]) {
    const repository = stage.repository(options);
    const chatMemory = new MessageWindowChatMemory({ repository, maxMessages: 4 });
    for (let turn = 0; turn < 5; turn++)
      await chatMemory.add('window', [userMessage(`question ${turn}`), assistantMessage(`answer ${turn}`)]);
    const texts = (await chatMemory.get('window')).map(messageText);
    expect(texts).toEqual(['question 3', 'answer 3', 'question 4', 'answer 4']);
    await repository.close();
  }
  // A client that was handed in is as it was.
  expect((await container.read()).statusCode).toBe(200);
  client.dispose();
});

it('is disposed of at the end of its block', async () => {
  let kept: CosmosDbChatMemoryRepository;
  {
    await using repository = stage.repository();
    await repository.append('c', [userMessage('a')]);
    kept = repository;
  }
  await expect(kept.findByConversationId('c')).rejects.toMatchObject({ code: 'invalid_state' });
});
