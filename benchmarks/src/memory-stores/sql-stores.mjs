// @vernal/memory-jdbc, and its statements through the drivers: a lone one as it is, several as a transaction.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JdbcChatMemoryRepository } from '@vernal/memory-jdbc';
import { sqlDatabase } from '@vernal/sql';
import Database from 'libsql';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { listening } from './recorded-calls.mjs';

/** What the stores have in common; `client` is what an application would give. */
function sqlStore(client, tablePrefix, { floor, compiled, drop }) {
  const database = sqlDatabase(client);
  const options = { tablePrefix, initializeSchema: 'always' };
  return {
    repository: new JdbcChatMemoryRepository({ client: database, ...options }),
    recording: (calls) =>
      new JdbcChatMemoryRepository({
        client: listening(database, ['run'], calls),
        ...options,
        initializeSchema: 'never',
      }),
    compiled: ({ args: [statements] }) => statements.map(compiled),
    replay: floor,
    async drop() {
      try {
        const tables = ['conversation', 'message', 'version'].map((name) => `${tablePrefix}_${name}`);
        for (const table of tables) await database.run([{ text: `DROP TABLE IF EXISTS ${table}` }]);
      } finally {
        await drop();
      }
    },
  };
}

export function sqliteStore(_url, name) {
  const folder = mkdtempSync(join(tmpdir(), 'vernal-bench-'));
  const connection = new Database(join(folder, 'memory.db'));
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 10000');
  const run = ({ text, values, reads }) => {
    const statement = connection.prepare(text);
    return reads ? statement.all(values) : statement.run(values);
  };
  return sqlStore(connection, name, {
    compiled: ({ text, values = [] }) => ({ text, values, reads: /^\s*select\b/i.test(text) }),
    async floor(statements) {
      if (statements.length === 1 && statements[0].reads) return run(statements[0]);
      connection.exec('BEGIN IMMEDIATE');
      for (const statement of statements) run(statement);
      connection.exec('COMMIT');
    },
    drop() {
      connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

export function postgresStore(url, name) {
  const pool = new pg.Pool({ connectionString: url });
  return sqlStore(pool, name, {
    compiled({ text, values = [] }) {
      let count = 0;
      return { text: text.replaceAll('?', () => `$${++count}`), values };
    },
    async floor(statements) {
      if (statements.length === 1) return pool.query(statements[0].text, statements[0].values);
      const client = await pool.connect();
      await client.query('BEGIN');
      for (const { text, values } of statements) await client.query(text, values);
      await client.query('COMMIT');
      client.release();
    },
    drop: () => pool.end(),
  });
}

export function mariadbStore(url, name) {
  const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), connectionLimit: 10, charset: 'utf8mb4' });
  return sqlStore(pool, name, {
    // The driver sends numbers as DOUBLE, which a LIMIT refuses.
    compiled: ({ text, values = [] }) => ({
      text,
      values: values.map((one) => (Number.isInteger(one) ? `${one}` : one)),
    }),
    async floor(statements) {
      if (statements.length === 1) return pool.execute(statements[0].text, statements[0].values);
      const connection = await pool.getConnection();
      await connection.query('START TRANSACTION');
      for (const { text, values } of statements) await connection.execute(text, values);
      await connection.query('COMMIT');
      connection.release();
    },
    drop: () => pool.end(),
  });
}
