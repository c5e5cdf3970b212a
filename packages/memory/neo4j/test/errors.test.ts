import { inspect } from 'node:util';
import { userMessage, VernalError } from '@vernal/core';
import {
  Neo4jChatMemoryRepository,
  type Neo4jChatMemoryRepositoryOptions,
  type Neo4jMemoryDriver,
} from '@vernal/memory-neo4j';
import neo4j from 'neo4j-driver';
import { describe, expect, it, vi } from 'vitest';
import { CuttingProxy } from './cutting-proxy.js';
import { describeOnServer } from './server.js';

/** The server may have to plan statements first. */
const PATIENCE = { timeout: 60_000 };

async function thrown(work: Promise<unknown>): Promise<VernalError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (VernalError.is(error)) return error;
  throw new Error(`expected a VernalError, got ${String(error)}`);
}

function everyCall(repository: Neo4jChatMemoryRepository, signal?: AbortSignal): (() => Promise<unknown>)[] {
  return [
    () => repository.append('c', [userMessage('private words')], { signal }),
    () => repository.saveAll('c', [userMessage('private words')], { signal }),
    () => repository.findByConversationId('c', { signal }),
    () => repository.deleteBefore('c', 1, { signal }),
    () => repository.deleteByConversationId('c', { signal }),
    () => repository.findConversationIds({ signal })[Symbol.asyncIterator]().next(),
  ];
}

describe('options', () => {
  const driver: Neo4jMemoryDriver = neo4j.driver('bolt://127.0.0.1:1');
  const wrong = (value: unknown): never => value as never;
  const faults: readonly [subject: string, options: Neo4jChatMemoryRepositoryOptions][] = [
    ['driver', {}],
    ['driver', { driver, url: 'bolt://127.0.0.1' }],
    ['driver', { driver: wrong({}) }],
    ['driver', { driver: wrong(null) }],
    ['url', { url: 'http://127.0.0.1' }],
    ['url', { url: 'neo4j' }],
    ['url', { url: 'neo4j://' }],
    ['url', { url: wrong(1) }],
    ['url', { url: 'bolt://127.0.0.1/database' }],
    ['url', { url: 'bolt://ann:100%@127.0.0.1' }],
    ['options', wrong(null)],
    ['dataBase', wrong({ driver, dataBase: 'x' })],
    ['database', { driver, database: '' }],
    ['database', { driver, database: wrong(1) }],
    ['pageSize', { driver, pageSize: 0 }],
    ['timeoutMs', { driver, timeoutMs: 1.5 }],
    ['timeoutMs', { driver, timeoutMs: Number.POSITIVE_INFINITY }],
    ['initializeSchema', { driver, initializeSchema: wrong(true) }],
  ];
  it.each(faults)('that cannot be right are refused: %s', (subject, options) => {
    const make = (): unknown => new Neo4jChatMemoryRepository(options);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });

  it('that can be are taken', () => {
    for (const scheme of ['neo4j', 'neo4j+s', 'neo4j+ssc', 'bolt', 'bolt+s', 'bolt+ssc'])
      expect(() => new Neo4jChatMemoryRepository({ url: `${scheme}://ann:pass@[::1]:7687` })).not.toThrow();
  });
});

describe('a server that is away', () => {
  it('is an error that may be tried again, without secrets and contents', async () => {
    const url = 'bolt://ann:hunter2@127.0.0.1:1';
    const given = neo4j.driver('bolt://127.0.0.1:1', neo4j.auth.basic('ann', 'hunter2'));
    for (const repository of [
      new Neo4jChatMemoryRepository({ url }),
      new Neo4jChatMemoryRepository({ driver: given }),
    ]) {
      for (const error of await Promise.all(everyCall(repository).map((work) => thrown(work())))) {
        // Whether the constraint is there is read first.
        expect([error.code, error.retryable]).toEqual(['store_read', true]);
        expect(error.details).toEqual({ code: 'ServiceUnavailable' });
        expect(error.message).toContain('cannot be reached');
        expect(inspect(error)).not.toMatch(/hunter2|private/);
      }
      expect(`${inspect(repository)} ${String(repository)} ${JSON.stringify(repository)}`).not.toContain('hunter2');
      await repository.close();
    }
    await given.close();
  });
});

describe('errors of the driver', () => {
  it.each([
    ['Neo.ClientError.Security.Unauthorized', false, /password were refused/],
    ['Neo.ClientError.Security.Forbidden', false, /may not do this/],
    ['Neo.ClientError.Statement.SyntaxError', false, /update the server/],
    ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', false, /store less at once/],
    ['Neo.ClientError.Other.Thing', false, /details\.code/],
    ['SessionExpired', true, /cannot be reached/],
    ['Neo.TransientError.General.DatabaseUnavailable', true, /try again later/],
  ])('have the code of Neo4j and a fix, and not its words: %s', async (code, retryable, fix) => {
    const driver: Neo4jMemoryDriver = {
      session: () => ({
        run: () => Promise.reject(new neo4j.Neo4jError('private words', code as never, '', '')),
        close: async () => {},
      }),
    };
    const error = await thrown(new Neo4jChatMemoryRepository({ driver }).findByConversationId('c'));
    expect([error.code, error.retryable, error.details]).toEqual(['store_read', retryable, { code }]);
    expect(error.message).toMatch(fix);
    expect(inspect(error)).not.toContain('private');
  });
});

describeOnServer('errors', (server) => {
  /** Holds the lock of the conversation 'c' until it is let go. */
  const locked = async (session: string): Promise<{ letGo(): Promise<void> }> => {
    const held = server.driver.session();
    const transaction = held.beginTransaction();
    await transaction.run(`MATCH (s:${session} {key: 'c'}) SET s.held = true`);
    return {
      async letGo() {
        await transaction.rollback();
        await held.close();
      },
    };
  };
  /** How many statements the server runs on this label; or how many of them wait for a lock. */
  const running = async (label: string, status: '' | 'Blocked' = ''): Promise<number> => {
    const text = `SHOW TRANSACTIONS YIELD currentQuery, status
WHERE currentQuery CONTAINS $label AND status STARTS WITH $status RETURN 1`;
    return (await server.query(text, { label: `:\`${label}\``, status })).length;
  };

  it('of an abort come at once, and the server stops, too', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    await repository.append('c', [userMessage('x')]);
    const { letGo } = await locked(labels.session);
    const controller = new AbortController();
    // The list asks for no lock, and would be done. A read of a conversation does: it is to be of one moment.
    const calls = everyCall(repository, controller.signal).slice(0, 5);
    const waits = calls.map((work) => thrown(work()));
    await vi.waitFor(async () => expect(await running(labels.session, 'Blocked')).toBe(5), PATIENCE);
    controller.abort();
    expect((await Promise.all(waits)).map(({ code }) => code)).toEqual(Array(5).fill('aborted'));
    await vi.waitFor(async () => expect(await running(labels.session)).toBe(0), PATIENCE);
    await letGo();
    expect((await repository.findByConversationId('c')).messages).toEqual([userMessage('x')]);
  });

  it('of a time that is over come after timeoutMs, and the server stops, too', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    await repository.append('c', [userMessage('x')]);
    const hasty = server.repository({ labels, timeoutMs: 300 });
    await hasty.findByConversationId('c').catch(() => undefined);
    const { letGo } = await locked(labels.session);
    for (const work of everyCall(hasty).slice(0, 5)) {
      const error = await thrown(work());
      expect([error.code, error.subject, error.retryable]).toEqual(['timeout', 'timeoutMs', true]);
      expect(error.details).toMatchObject({ timeoutMs: 300 });
    }
    await vi.waitFor(async () => expect(await running(labels.session)).toBe(0), PATIENCE);
    await letGo();
    expect((await repository.findByConversationId('c')).messages).toEqual([userMessage('x')]);
  });

  it('of a server that says nothing come with the abort, and with timeoutMs', async () => {
    const proxy = await CuttingProxy.to(server.url);
    const labels = await server.labels();
    const driver = neo4j.driver(proxy.url);
    const repository = server.repository({ labels, driver });
    const hasty = server.repository({ labels, driver, timeoutMs: 300 });
    await repository.findByConversationId('c');
    proxy.hold();
    const controller = new AbortController();
    const waits = everyCall(repository, controller.signal).map((work) => thrown(work()));
    expect((await thrown(hasty.append('c', [userMessage('x')]))).code).toBe('timeout');
    controller.abort();
    expect((await Promise.all(waits)).map(({ code }) => code)).toEqual(Array(6).fill('aborted'));
    proxy.cut();
    await driver.close();
    await proxy.close();
  });

  it('name a database that is not there', async () => {
    const error = await thrown(server.repository({ database: 'nowhere' }).append('c', [userMessage('private words')]));
    expect([error.code, error.retryable]).toEqual(['store_read', false]);
    expect(error.details).toEqual({ code: 'Neo.ClientError.Database.DatabaseNotFound' });
    expect(error.message).toContain('`database`');
    expect(await server.repository({ database: 'neo4j' }).append('c', [userMessage('x')])).toEqual({ sequence: 1 });
  });

  it('of sequences that are none', async () => {
    const labels = await server.labels();
    const repository = server.repository({ labels });
    expect((await thrown(repository.deleteBefore('c', Number.NaN))).code).toBe('invalid_argument');
    for (const expectedSequence of [-1, 0.5, Number.NaN]) {
      const error = await thrown(repository.append('c', [userMessage('x')], { expectedSequence }));
      expect(error.code).toBe('invalid_argument');
    }
    expect(await server.query(`MATCH (s:${labels.session}) RETURN s`)).toEqual([]);
  });

  it('of a transaction that the server undoes do not reach the caller', async () => {
    const labels = await server.labels();
    let fails = 0;
    const driver: Neo4jMemoryDriver = {
      session(config) {
        const session = server.driver.session({
          ...(config?.fetchSize === undefined ? {} : { fetchSize: config.fetchSize }),
        });
        return {
          async run(text, parameters, runConfig) {
            const isUndone = text.startsWith('MERGE') && fails++ < 3;
            // As a deadlock is: the server says it, and has written nothing.
            if (isUndone)
              throw new neo4j.Neo4jError('x', 'Neo.TransientError.Transaction.DeadlockDetected' as never, '', '');
            return session.run(text, parameters, runConfig);
          },
          close: () => session.close(),
        };
      },
    };
    const repository = server.repository({ labels, driver });
    expect(await repository.append('c', [userMessage('x')])).toEqual({ sequence: 1 });
    expect(fails).toBe(4);
    fails = Number.NEGATIVE_INFINITY;
    const error = await thrown(repository.append('c', [userMessage('private words')]));
    expect([error.code, error.retryable, error.details['code']]).toEqual([
      'store_write',
      true,
      'Neo.TransientError.Transaction.DeadlockDetected',
    ]);
    expect(error.message).not.toContain('not known');
  });
});
