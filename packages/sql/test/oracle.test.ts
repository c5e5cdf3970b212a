import { type OraclePool, type OraclePoolConnection, oracleDatabase, oracleError, sqlDatabase } from '@vernal/sql';
import oracledb from 'oracledb';
import { describe, expect, it } from 'vitest';
import { failure } from './databases.js';

/** What is sent; there is no server here to send it to. */
class Sent implements OraclePoolConnection {
  readonly log: unknown[] = [];
  answer: () => ReturnType<OraclePoolConnection['execute']> = async () => ({});
  broken: (reason: Error) => void = () => {};

  get pool(): OraclePool {
    return { getConnection: async () => this, connectionsInUse: 0 };
  }
  execute(...given: Parameters<OraclePoolConnection['execute']>) {
    this.log.push(given);
    return this.answer();
  }
  async commit() {
    this.log.push('commit');
  }
  async rollback() {
    this.log.push('rollback');
  }
  async break() {
    this.log.push('break');
    this.broken(Object.assign(new Error('ORA-01013: user requested cancel'), { code: 'ORA-01013' }));
  }
  async close(options: { drop?: boolean } = {}) {
    this.log.push(options);
  }
}

describe('oracleDatabase', () => {
  it('sends numbered parameters, a NULL in the text and bytes as a Buffer, and commits at the end', async () => {
    const sent = new Sent();
    sent.answer = async () => ({ rowsAffected: 1 });
    const results = await oracleDatabase(sent.pool).run([
      { text: 'INSERT INTO t VALUES (?, ?, ?)', values: ['x', null, Uint8Array.of(1)] },
    ]);
    expect(results).toEqual([{ rows: [], changes: 1 }]);
    const options = { autoCommit: false, outFormat: oracledb.OUT_FORMAT_OBJECT, resultSet: false, maxRows: 0 };
    expect(sent.log).toEqual([
      ['INSERT INTO t VALUES (:1, NULL, :2)', ['x', Buffer.of(1)], options],
      'commit',
      { drop: false },
    ]);
  });

  it('gives names as they were written, and what a CLOB holds', async () => {
    const sent = new Sent();
    const lob = { getData: async () => 'long text' };
    sent.answer = async () => ({ rows: [{ ID: 1, CONTENT_1: lob, MixedCase: null, 'lower case': 'x' }] });
    const [found] = await oracleDatabase(sent.pool).run([{ text: 'SELECT * FROM t' }]);
    expect(found?.rows).toEqual([{ id: 1, content_1: 'long text', MixedCase: null, 'lower case': 'x' }]);
  });

  it('rolls back what fails, and tells the code of the error without its words', async () => {
    const sent = new Sent();
    sent.answer = () => Promise.reject(Object.assign(new Error('ORA-00001: secret'), { code: 'ORA-00001' }));
    const error = await failure(oracleDatabase(sent.pool).run([{ text: 'x' }], { errorCode: 'store_write' }));
    expect(error).toMatchObject({ code: 'store_write', retryable: false, details: { oracle: 'ORA-00001' } });
    expect(error['message']).toBe('Oracle refused: a row with the same key is there already');
    expect(sent.log.slice(-2)).toEqual(['rollback', { drop: false }]);
  });

  it('breaks off what runs when the signal fires, rolls back, and gives that connection to nobody else', async () => {
    const sent = new Sent();
    const leaving = new AbortController();
    sent.answer = () =>
      new Promise((_, reject) => {
        sent.broken = reject;
        leaving.abort();
      });
    const run = oracleDatabase(sent.pool).run([{ text: 'x' }], { signal: leaving.signal });
    expect(await failure(run)).toMatchObject({ code: 'aborted' });
    expect(sent.log.slice(-3)).toEqual(['break', 'rollback', { drop: true }]);
  });

  it('takes the pool of the driver, and says what is wrong with it', async () => {
    const connectString = '127.0.0.1:1/none';
    const pool = await oracledb.createPool({ user: 'x', password: 'secret', connectString, poolMin: 0 });
    const database = sqlDatabase(pool);
    expect(database).toMatchObject({ dialect: 'oracle', isEmbedded: false });
    const unreachable = await failure(database.run([]));
    expect(unreachable).toMatchObject({ code: 'database', retryable: true, details: { oracle: 'NJS-503' } });
    expect(unreachable['message']).not.toContain('secret');
    await pool.close();
    expect(await failure(database.run([]))).toMatchObject({ retryable: false, details: { oracle: 'NJS-065' } });
  });

  it.each([
    ['ORA-00060', true],
    ['ORA-03113', true],
    ['ORA-12899', false],
    ['ORA-99999', false],
  ])('knows of error %s whether it passes', (code, retryable) => {
    expect(oracleError({ code })).toMatchObject({ retryable, details: { oracle: code } });
  });

  it('takes nothing else', () => {
    for (const pool of [undefined, {}, { getConnection() {} }])
      expect(() => oracleDatabase(pool as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
