import { PGlite } from '@electric-sql/pglite';
import { postgresDatabase, type SqlDatabase } from '@vernal/sql';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeRepositoryOn } from './repository-suite.js';

describe('PGlite', () => {
  let lite: PGlite;
  let database: SqlDatabase;
  beforeAll(async () => {
    lite = await PGlite.create();
    database = postgresDatabase(lite);
  });
  afterAll(() => lite.close());
  describeRepositoryOn('JdbcChatMemoryRepository on PGlite', () => database);
});
