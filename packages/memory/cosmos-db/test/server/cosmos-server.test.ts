import { type Container, CosmosClient, type OperationInput } from '@azure/cosmos';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CosmosServer } from './cosmos-server.js';

/** The suite is worth what this server refuses: each of these is a request as a careless repository would send it. */
describe('the server of the tests', () => {
  const server = new CosmosServer();
  const made: CosmosClient[] = [];
  let container: Container;
  const clientWith = (key: string): CosmosClient => {
    const client = new CosmosClient({ endpoint: server.endpoint, key });
    made.push(client);
    return client;
  };
  const create = (id: string, more: object = {}): OperationInput => ({
    operationType: 'Create',
    resourceBody: { id, conversationKey: 'k', ...more },
  });
  const codes = async (operations: OperationInput[], key = 'k'): Promise<number[]> =>
    ((await container.items.batch(operations, key)).result ?? []).map(({ statusCode }) => statusCode);
  const stored = async (): Promise<string[]> =>
    (
      await container.items
        .query<string>({ query: 'SELECT VALUE c.id FROM c', parameters: [] }, { partitionKey: 'k' })
        .fetchAll()
    ).resources;

  beforeAll(() => server.listen());
  afterAll(async () => {
    for (const client of made) client.dispose();
    await server.close();
  });
  beforeEach(async () => {
    server.databases.clear();
    const { database } = await clientWith(server.key).databases.create({ id: 'd' });
    const partitionKey = { paths: ['/conversationKey'], version: 2 };
    container = (await database.containers.create({ id: 'c', partitionKey, defaultTtl: -1 })).container;
  });

  it('refuses another key', async () => {
    const other = clientWith(Buffer.from('another').toString('base64'));
    await expect(other.database('d').container('c').read()).rejects.toMatchObject({ code: 401 });
  });

  it('refuses an etag that has changed, and does nothing of its batch', async () => {
    const { result } = await container.items.batch([create('one')], 'k');
    const ifMatch = result?.[0]?.eTag ?? '';
    const replace: OperationInput = {
      operationType: 'Replace',
      id: 'one',
      ifMatch,
      resourceBody: { id: 'one', conversationKey: 'k' },
    };
    expect(await codes([replace])).toEqual([200]);
    expect(await codes([create('two'), replace, create('three')])).toEqual([424, 412, 424]);
    expect(await stored()).toEqual(['one']);
  });

  it('refuses what is there already and what is not there, and does nothing of its batch', async () => {
    expect(await codes([create('one')])).toEqual([201]);
    expect(await codes([create('two'), create('one')])).toEqual([424, 409]);
    expect(await codes([create('two'), { operationType: 'Delete', id: 'none' }])).toEqual([424, 404]);
    expect(await stored()).toEqual(['one']);
  });

  it('refuses items of another partition, ids that no address can hold, and times to live that are none', async () => {
    expect(await codes([create('one')], 'other')).toEqual([400]);
    for (const id of ['a/b', 'a\\b', 'a?b', 'a#b', 'x'.repeat(1024)]) expect(await codes([create(id)])).toEqual([400]);
    for (const ttl of [0, -2, 1.5, '1']) expect(await codes([create('one', { ttl })])).toEqual([400]);
  });

  it('refuses more than 100 operations, more than 2 MB, and keys that are too long', async () => {
    // The SDK counts operations, too: past it.
    const url = `${server.endpoint}/dbs/d/colls/c/docs`;
    const seen = new Promise<Record<string, string>>((resolve) => {
      server.intercept = ({ headers }) => {
        resolve(headers as Record<string, string>);
        return undefined;
      };
    });
    await codes([create('one')]);
    server.intercept = undefined;
    const { 'content-length': _, host: __, connection: ___, ...headers } = await seen;
    const post = async (body: unknown, more: object = {}): Promise<number> =>
      (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })).status;
    const many = (count: number) => Array.from({ length: count }, (_one, index) => create(`many ${index}`));
    expect(await post(many(101))).toBe(400);
    expect(await post(many(100))).toBe(200);
    expect(await post([create('large', { text: 'x'.repeat(2_100_000) })])).toBe(413);
    expect(await post(many(1), { 'x-ms-documentdb-partitionkey': JSON.stringify(['k'.repeat(2049)]) })).toBe(400);
    const { 'x-ms-documentdb-partitionkey': key, ...keyless } = headers;
    expect(key).toBe('["k"]');
    expect((await fetch(url, { method: 'POST', headers: keyless, body: JSON.stringify(many(1)) })).status).toBe(400);
  });

  it('refuses queries that are none, and those that no index helps with', async () => {
    const run = (query: string) => container.items.query({ query, parameters: [] }, { partitionKey: 'k' }).fetchAll();
    await expect(run('SELECT FROM c WHERE')).rejects.toMatchObject({ code: 400 });
    const indexingPolicy = { excludedPaths: [{ path: '/message/?' }] };
    const { database } = container;
    const partitionKey = { paths: ['/conversationKey'], version: 2 };
    ({ container } = await database.containers.create({ id: 'e', partitionKey, indexingPolicy }));
    await expect(run("SELECT VALUE c.id FROM c WHERE c.message = 'x'")).rejects.toMatchObject({ code: 400 });
  });

  it('shows the session what it has written, and others what a replica has that lags behind', async () => {
    await codes([create('one')]);
    await codes([create('two')]);
    server.lag = 1;
    const ids = async (consistencyLevel?: string): Promise<string[]> => {
      const options = { partitionKey: 'k', ...(consistencyLevel && { consistencyLevel }) };
      return (
        await container.items.query<string>({ query: 'SELECT VALUE c.id FROM c', parameters: [] }, options).fetchAll()
      ).resources;
    };
    expect(await ids()).toEqual(['one']);
    expect(await ids('Session')).toEqual(['one', 'two']);
    server.lag = 0;
  });
});
