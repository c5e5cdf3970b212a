import {
  type SqlServerPool,
  type SqlServerTransaction,
  sqlDatabase,
  sqlServerDatabase,
  sqlServerError,
} from '@vernal/sql';
import mssql from 'mssql';
import { describe, expect, it } from 'vitest';
import { failure } from './databases.js';

/** What is sent; there is no server here to send it to. */
class Sent implements SqlServerTransaction {
  readonly log: unknown[] = [];
  answer: () => Promise<{ recordset?: unknown; rowsAffected: number[] }> = async () => ({ rowsAffected: [] });
  cancelled: (reason: Error) => void = () => {};

  get pool(): SqlServerPool {
    return { transaction: () => this, request: () => this.request() };
  }
  async begin() {
    this.log.push('begin');
  }
  async commit() {
    this.log.push('commit');
  }
  async rollback() {
    this.log.push('rollback');
  }
  request() {
    const inputs: unknown[] = [];
    return {
      input: (name: string, value: unknown) => inputs.push([name, value]),
      query: (command: string) => {
        this.log.push([command, ...inputs]);
        return this.answer();
      },
      cancel: () => {
        this.log.push('cancel');
        this.cancelled(Object.assign(new Error('Canceled.'), { code: 'ECANCEL' }));
      },
    };
  }
}

describe('sqlServerDatabase', () => {
  it('sends named parameters in a transaction, a NULL in the text, and bytes as a Buffer', async () => {
    const sent = new Sent();
    sent.answer = async () => ({ recordset: [{ a: 1 }], rowsAffected: [5, 1] });
    const results = await sqlServerDatabase(sent.pool).run([
      { text: 'INSERT INTO t VALUES (?, ?, ?, ?, ?)', values: ['x', null, 7, Uint8Array.of(1), 1e300] },
    ]);
    expect(results).toEqual([{ rows: [{ a: 1 }], changes: 1 }]);
    expect(sent.log).toEqual([
      'begin',
      [
        'INSERT INTO t VALUES (@p0, NULL, @p2, @p3, @p4)',
        ['p0', 'x'],
        ['p2', 7],
        ['p3', Buffer.of(1)],
        ['p4', '1e+300'],
      ],
      'commit',
    ]);
  });

  it('rolls back what fails, and tells the number of the error without its words', async () => {
    const sent = new Sent();
    sent.answer = () => Promise.reject(Object.assign(new Error("Invalid object name 'secret'."), { number: 208 }));
    const error = await failure(sqlServerDatabase(sent.pool).run([{ text: 'SELECT 1' }], { errorCode: 'store_read' }));
    expect(error).toMatchObject({ code: 'store_read', retryable: false, details: { sqlserver: 208 } });
    expect(error['message']).toBe('SQL Server refused: the table does not exist: create it');
    expect(sent.log.slice(-1)).toEqual(['rollback']);
  });

  it('cancels what runs when the signal fires, and rolls back', async () => {
    const sent = new Sent();
    const leaving = new AbortController();
    sent.answer = () =>
      new Promise((_, reject) => {
        sent.cancelled = reject;
        leaving.abort();
      });
    const run = sqlServerDatabase(sent.pool).run([{ text: "WAITFOR DELAY '1:00'" }], { signal: leaving.signal });
    expect(await failure(run)).toMatchObject({ code: 'aborted' });
    expect(sent.log.slice(-2)).toEqual(['cancel', 'rollback']);
  });

  it('takes the pool of the driver, and says what is wrong with it', async () => {
    const pool = new mssql.ConnectionPool({ server: '127.0.0.1', port: 1, user: 'x', password: 'secret' });
    const database = sqlDatabase(pool);
    expect(database).toMatchObject({ dialect: 'sqlserver', isEmbedded: false });
    expect(await failure(database.run([]))).toMatchObject({
      code: 'database',
      retryable: false,
      details: { reason: 'ECONNCLOSED' },
    });
    const unreachable = sqlServerError(await failure(pool.connect()));
    expect(unreachable).toMatchObject({ retryable: true, details: { reason: 'ESOCKET' } });
    expect(unreachable.message).not.toContain('secret');
  });

  it.each([
    [1205, true],
    [40613, true],
    [2627, false],
    [99999, false],
  ])('knows of error %i whether it passes', (number, retryable) => {
    expect(sqlServerError({ number })).toMatchObject({ retryable, details: { sqlserver: number } });
  });

  it('takes nothing else', () => {
    for (const pool of [undefined, {}, { transaction() {} }])
      expect(() => sqlServerDatabase(pool as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
