import { describeVectorStore, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { keepReport } from '../../../../scripts/suite-report.mjs';
import { serverPool } from './server.js';
import { SuiteTables } from './suite-tables.js';

const { pool, reason } = serverPool(6);
if (pool === undefined) vitest.it.skip(`${reason}: PgVectorStore on a server`);
else {
  vitest.afterAll(() => pool.end());
  const runner = vitestRunner(vitest);
  /** Where set-ups differ: all cases run for the first one, and on PGlite. */
  const only = [
    'vs.search',
    'vs.modes',
    'vs.mmr',
    'vs.filter.oracle-not',
    'vs.add.zero',
    'vs.add.other',
    'vs.add.concurrent',
  ];
  const ROUNDED = 'halfvec keeps three digits: 0.8 is 0.79995 there, as the README says';
  for (const [name, options] of [
    ['HNSW', { textSearchConfig: 'simple' }],
    ['exact', { indexType: 'none', metadataIndex: false }],
    ['IVFFlat', { indexType: 'ivfflat', ivfflat: { lists: 1, probes: 1 } }],
    ['Euclid', { metric: 'euclidean' }],
    ['inner product', { metric: 'dot' }],
    ['halfvec', { vectorType: 'halfvec' }],
  ] as const) {
    const tables = new SuiteTables(pool, `suite_${process.pid}_${name}`, options);
    vitest.afterAll(() => tables.drop());
    const { create, reopen } = tables;
    describeVectorStore(`PgVectorStore on a server, ${name}`, create, {
      runner,
      reopen,
      onReport: keepReport,
      only: name === 'HNSW' ? undefined : only,
      deviations: name === 'halfvec' ? [{ case: 'vs.search.threshold-cosine', reason: ROUNDED }] : [],
    });
  }
}
