import { mysqlDatabase, type SqlDatabase } from '@vernal/sql';
import { createPool, type Pool } from 'mysql2/promise';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { describeRepositoryOn } from './repository-suite.js';

const found = engine('mariadb');

if ('reason' in found) it.skip(`JdbcChatMemoryRepository on MariaDB: ${found.reason}`);
else
  describe('MariaDB', () => {
    let pool: Pool;
    let database: SqlDatabase;
    beforeAll(() => {
      pool = createPool({ uri: found.url.replace('mariadb:', 'mysql:'), connectionLimit: 10, charset: 'utf8mb4' });
      database = mysqlDatabase(pool);
    });
    afterAll(() => pool.end());
    describeRepositoryOn(
      'JdbcChatMemoryRepository on MariaDB',
      () => database,
      () => found.url,
    );
  });
