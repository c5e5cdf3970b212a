import { postgresDatabase, type SqlDatabase } from '@vernal/sql';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { describeRepositoryOn } from './repository-suite.js';

const found = engine('postgres');

if ('reason' in found) it.skip(`JdbcChatMemoryRepository on PostgreSQL: ${found.reason}`);
else
  describe('PostgreSQL', () => {
    let pool: Pool;
    let database: SqlDatabase;
    beforeAll(() => {
      pool = new Pool({ connectionString: found.url, max: 10 });
      database = postgresDatabase(pool);
    });
    afterAll(() => pool.end());
    describeRepositoryOn(
      'JdbcChatMemoryRepository on PostgreSQL',
      () => database,
      () => found.url,
    );
  });
