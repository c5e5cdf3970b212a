import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import {
  cassandraIsReady,
  mariadbIsReady,
  mongoIsReady,
  neo4jIsReady,
  postgresIsReady,
  redisIsReady,
} from '../../../../scripts/services/ready.mjs';

const open: { close(): unknown }[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const one of open.splice(0)) one.close();
});

/** A port where everybody gets the same answer to the first bytes; without one the connection ends, as behind Docker's proxy. */
async function portThatSays(answer: string | undefined): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    if (answer === undefined) socket.destroy();
    else socket.once('data', () => socket.end(answer, 'latin1'));
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('an engine is ready', () => {
  it.each([
    ['postgres', postgresIsReady],
    ['redis', redisIsReady],
    ['mariadb', mariadbIsReady],
    ['mongo', mongoIsReady],
    ['neo4j', neo4jIsReady],
    ['cassandra', cassandraIsReady],
  ] as const)('when %s takes work, if one runs here', async (name, isReady) => {
    const found = engine(name);
    if ('url' in found) expect(await isReady(Number(new URL(found.url).port), new URL(found.url).hostname)).toBe(true);
  });

  it.each([
    ['nobody speaks behind the port', postgresIsReady, undefined],
    ['PostgreSQL is starting', postgresIsReady, 'E\0\0\0\x20SFATAL\0C57P03\0Mstarting up\0\0'],
    ['nobody speaks behind the port', redisIsReady, undefined],
    ['Redis is loading', redisIsReady, '-LOADING Redis is loading the dataset in memory\r\n'],
    ['nobody speaks behind the port', mariadbIsReady, undefined],
    ['nobody speaks behind the port', mongoIsReady, undefined],
    ['MongoDB has no primary yet', mongoIsReady, '\x08isWritablePrimary\0\0\x08secondary\0\0'],
    ['nobody speaks behind the port', neo4jIsReady, undefined],
    ['Neo4j speaks no such protocol', neo4jIsReady, '\0\0\0\0'],
    ['the database of Neo4j is starting', neo4jIsReady, '\0\0\x04\x04\0\x03\xb1\x70\xa0\0\0\0\x03\xb1\x7f\xa0\0\0'],
    ['nobody speaks behind the port', cassandraIsReady, undefined],
    ['Cassandra is bootstrapping', cassandraIsReady, '\x84\0\0\0\0\0\0\0\x06\0\0\x10\x02\0\0'],
    ['MariaDB takes no connection', mariadbIsReady, '\x17\0\0\0\xff\x10\x04Too many connections'],
  ])('and not while %s', async (_, isReady, answer) => {
    expect(await isReady(await portThatSays(answer))).toBe(false);
  });

  it('also when it wants a password', async () => {
    expect(await postgresIsReady(await portThatSays('R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0'))).toBe(true);
    expect(await redisIsReady(await portThatSays('-NOAUTH Authentication required.\r\n'))).toBe(true);
    const unauthorized = '\0\0\x04\x04\0\x28\xb1\x7f\xa1\x84code\xd0\x22Neo.ClientError.Security.Unauthorized\0\0';
    expect(await neo4jIsReady(await portThatSays(unauthorized))).toBe(true);
    expect(await cassandraIsReady(await portThatSays('\x84\0\0\0\x03\0\0\0\x03\0\x01A'))).toBe(true);
  });

  it('and not where nobody listens', async () => {
    const port = await portThatSays('');
    open.pop()?.close();
    expect(await postgresIsReady(port)).toBe(false);
    expect(await redisIsReady(port)).toBe(false);
  });
});

describe('a test that needs an engine', () => {
  it('is told where it is, or why it has none; in CI none is a failure', () => {
    vi.stubEnv('CI', '');
    expect(engine('oracle')).toEqual({
      reason: expect.stringContaining("pnpm services up oracle', or set VERNAL_ORACLE_URL"),
    });
    vi.stubEnv('CI', 'true');
    expect(() => engine('oracle')).toThrow(/no oracle/);
    vi.stubEnv('VERNAL_ORACLE_URL', 'oracle://db.example');
    expect(engine('oracle')).toEqual({ url: 'oracle://db.example', how: 'environment' });
  });
});
