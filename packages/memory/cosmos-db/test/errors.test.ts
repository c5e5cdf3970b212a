import { inspect } from 'node:util';
import { CosmosClient } from '@azure/cosmos';
import { messageText, userMessage } from '@vernal/core';
import { CosmosDbChatMemoryRepository, type CosmosDbChatMemoryRepositoryOptions } from '@vernal/memory-cosmos-db';
import { expect, it } from 'vitest';
import { Refusal } from './server/refusal.js';
import { eachWithServer } from './stage.js';

const stage = eachWithServer();
const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

it('a wrong key is refused by name, and is in no error', async () => {
  const key = Buffer.from('a key that is a secret').toString('base64');
  const repository = stage.repository({ endpoint: stage.server.endpoint, key });
  const error = await thrownBy(repository.append('c', [userMessage('secret words')]));
  expect(error).toMatchObject({ code: 'store_write', subject: 'key', retryable: false, details: { status: 401 } });
  for (const text of [inspect(error, { depth: 9 }), inspect(repository, { depth: 9 }), JSON.stringify(repository)]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain('secret words');
  }
});

it('a token is not sent over a connection that is not encrypted', async () => {
  const credential = { getToken: () => Promise.reject(new Error('not asked')) };
  for (const options of [{ credential }, {}]) {
    const repository = stage.repository({ endpoint: stage.server.endpoint, ...options });
    await expect(repository.findByConversationId('c')).rejects.toMatchObject({
      code: 'store_read',
      subject: 'credential',
      message: expect.stringContaining('https://'),
    });
  }
});

it.each([
  [408, true],
  [413, false],
  [403, false],
  [503, true],
  [449, true],
])('an answer of %i is told, and whether to try again', async (status, retryable) => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('a')]);
  stage.server.intercept = () => {
    throw new Refusal(status, 'words of the service that quote secret words');
  };
  for (const [work, code] of [
    [() => repository.append('c', [userMessage('secret words')]), 'store_write'],
    [() => repository.findByConversationId('c'), 'store_read'],
    [() => repository.deleteByConversationId('c'), 'store_write'],
  ] as const) {
    const error = await thrownBy(work());
    expect(error).toMatchObject({ code, retryable, details: { status } });
    expect(inspect(error)).not.toContain('secret words');
  }
});

it('request units that are used up: the SDK waits, and then the caller is told for how long', async () => {
  const connectionPolicy = {
    retryOptions: { maxRetryAttemptCount: 1, fixedRetryIntervalInMilliseconds: 1, maxWaitTimeInSeconds: 1 },
  };
  const client = new CosmosClient({ ...stage.server.account, connectionPolicy });
  const repository = stage.repository({ client });
  await repository.append('c', [userMessage('a')]);
  let throttled = 0;
  const isQuery = (headers: object): boolean => Reflect.get(headers, 'x-ms-documentdb-isquery') === 'true';
  stage.server.intercept = ({ headers }) => {
    if (!isQuery(headers) || ++throttled > 1) return undefined;
    throw new Refusal(429, 'Request rate is large.', { 'x-ms-retry-after-ms': '7' });
  };
  expect((await repository.findByConversationId('c')).messages).toHaveLength(1);
  stage.server.intercept = ({ headers }) => {
    if (!isQuery(headers)) return undefined;
    throw new Refusal(429, 'Request rate is large.', { 'x-ms-retry-after-ms': '7' });
  };
  await expect(repository.findByConversationId('c')).rejects.toMatchObject({
    code: 'store_read',
    retryable: true,
    retryAfterMs: 7,
    details: { status: 429 },
  });
  client.dispose();
});

it('the service that goes away in the middle is an error, and the same repository works when it is back', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('a')]);
  const { port } = stage.server;
  await stage.server.close();
  const lost = { retryable: true, message: expect.stringContaining('connection') };
  await expect(repository.append('c', [userMessage('b')])).rejects.toMatchObject({ code: 'store_write', ...lost });
  await expect(repository.findByConversationId('c')).rejects.toMatchObject({ code: 'store_read', ...lost });
  const late = stage.repository();
  await expect(late.findByConversationId('c')).rejects.toMatchObject({ code: 'store_read', ...lost });
  await stage.server.listen(port);
  await repository.append('c', [userMessage('c')]);
  expect((await late.findByConversationId('c')).messages.map(messageText)).toEqual(['a', 'c']);
});

it('an answer that is lost is an error that may be tried again, and the write is there once', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('a')]);
  stage.server.intercept = ({ body }) => (body.includes('"Create"') ? 'cut-after' : undefined);
  await expect(repository.append('c', [userMessage('b')])).rejects.toMatchObject({
    code: 'store_write',
    retryable: true,
  });
  stage.server.intercept = undefined;
  expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['a', 'b']);
});

it('an abort ends every wait at once, and nothing is written by what had not begun', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('a')]);
  for (const work of [
    (signal: AbortSignal) => repository.append('c', [userMessage('b')], { signal }),
    (signal: AbortSignal) => repository.saveAll('c', [], { signal }),
    (signal: AbortSignal) => repository.findByConversationId('c', { signal }),
    (signal: AbortSignal) => repository.deleteBefore('c', 5, { signal }),
    (signal: AbortSignal) => repository.deleteByConversationId('c', { signal }),
    async (signal: AbortSignal) => {
      for await (const _ of repository.findConversationIds({ signal }));
    },
  ]) {
    const controller = new AbortController();
    stage.server.intercept = () => {
      controller.abort();
      return 'hang';
    };
    await expect(work(controller.signal)).rejects.toMatchObject({ code: 'aborted' });
    stage.server.intercept = undefined;
  }
  expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['a']);
});

it('an abort of one first use does not fail another', async () => {
  const repository = stage.repository();
  const controller = new AbortController();
  stage.server.intercept = () => {
    controller.abort();
    return undefined;
  };
  const aborted = thrownBy(repository.append('c', [userMessage('a')], { signal: controller.signal }));
  const other = repository.append('c', [userMessage('b')]);
  expect(await aborted).toMatchObject({ code: 'aborted' });
  await expect(other).resolves.toEqual({ sequence: 1 });
});

it('a repository that is closed while it is first used makes no client', async () => {
  const repository = stage.repository();
  const first = thrownBy(repository.append('c', [userMessage('a')]));
  await repository.close();
  expect(await first).toMatchObject({ code: 'invalid_state' });
});

it('an account whose reads may be older than its writes is refused', async () => {
  stage.server.consistency = 'Eventual';
  const repository = stage.repository();
  await repository.append('c', [userMessage('a')]);
  await expect(repository.findByConversationId('c')).rejects.toMatchObject({
    code: 'store_read',
    message: expect.stringContaining('Session or stronger'),
  });
});

it('a piece that was lost is a message that cannot be read, and the others can', async () => {
  const repository = stage.repository();
  await repository.append('c', [userMessage('x'.repeat(2_000_000)), userMessage('small')]);
  const lost = (await stage.items('c')).find(({ part }) => part === 1);
  await stage.container().item(String(lost?.['id']), 'c').delete();
  await expect(repository.findByConversationId('c')).rejects.toMatchObject({
    code: 'store_read',
    details: { sequence: 1 },
  });
  expect((await repository.findByConversationId('c', { last: 1 })).messages).toEqual([userMessage('small')]);
  await repository.deleteBefore('c', 2);
  expect((await repository.findByConversationId('c')).messages).toEqual([userMessage('small')]);
});

const endpoint = 'https://account.documents.azure.com';
const key = 'a2V5';

it.each([
  [{}, 'container'],
  [{ endpoint, client: {} }, 'container'],
  [{ client: {} }, 'client'],
  [{ container: {} }, 'container'],
  [{ endpoint: 'account.documents.azure.com' }, 'endpoint'],
  [{ endpoint: `${endpoint}?key=${key}` }, 'endpoint'],
  [{ endpoint, key, credential: { getToken() {} } }, 'credential'],
  [{ endpoint, credential: {} }, 'credential'],
  [{ endpoint, key: '' }, 'key'],
  [{ endpoint, key, databaseName: 'a/b' }, 'databaseName'],
  [{ endpoint, key, containerName: '' }, 'containerName'],
  [{ endpoint, key, containerName: 'a\0b' }, 'containerName'],
  [{ endpoint, key, initializeSchema: 'create' }, 'initializeSchema'],
  [{ endpoint, key, throughput: 400, maxThroughput: 1000 }, 'maxThroughput'],
  [{ endpoint, key, throughput: '400' }, 'throughput'],
  [{ endpoint, key, ttlMs: 10 }, 'ttlMs'],
  [{ endpoint, key, pageSize: 0 }, 'pageSize'],
  [{ endpoint, key, ttl: 10 }, 'ttl'],
  [undefined, 'options'],
])('options that cannot be are refused: %#', (options, subject) => {
  expect(() => new CosmosDbChatMemoryRepository(options as CosmosDbChatMemoryRepositoryOptions)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject }),
  );
});
