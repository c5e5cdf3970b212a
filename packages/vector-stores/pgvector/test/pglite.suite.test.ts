import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type CreateVectorStore, describeVectorStore, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { SuiteTables } from './suite-tables.js';

let pool: PGlite;
let tables: SuiteTables;
vitest.beforeAll(async () => {
  pool = await PGlite.create({ extensions: { vector } });
  // Less than the suite adds at once, so that an add is several transactions.
  tables = new SuiteTables(pool, 'suite', { textSearchConfig: 'simple', maxBatch: 150 });
});
vitest.afterAll(() => pool.close());

const create: CreateVectorStore = (setup) => tables.create(setup);
const reopen: CreateVectorStore = (setup) => tables.reopen(setup);
describeVectorStore('PgVectorStore on PGlite', create, {
  runner: vitestRunner(vitest),
  reopen,
  onReport: keepReport,
});
