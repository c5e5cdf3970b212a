import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SqlDatabase, sqliteDatabase } from '@vernal/sql';
import Database from 'libsql';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeRepositoryOn } from './repository-suite.js';

describe('SQLite', () => {
  let folder: string;
  let connection: Database.Database;
  let database: SqlDatabase;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vernal-memory-'));
    connection = new Database(join(folder, 'memory.db'));
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 10000');
    database = sqliteDatabase(connection);
  });
  afterAll(() => {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  });
  describeRepositoryOn(
    'JdbcChatMemoryRepository on SQLite',
    () => database,
    () => `sqlite:${join(folder, 'memory.db')}`,
  );
});
