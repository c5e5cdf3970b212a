import { VernalError } from '@vernal/core';
import { type PgQueryable, sqlIdentifier } from '@vernal/sql';
import { literal } from './pg-identifier.js';
import { PG_METRICS } from './pg-metric.js';
import { checkIndexes } from './pg-schema-check.js';
import type { PgSettings } from './pg-settings.js';
import { searchedText } from './pg-text-search.js';

/** What pgvector can index. Source: https://github.com/pgvector/pgvector, the part on indexing. */
const INDEXABLE = { vector: 2000, halfvec: 4000 } as const;

/** Throws `invalid_argument` for dimensions that the index cannot hold. */
export function refuseUnindexable({ indexType, vectorType }: PgSettings, dimensions: number): void {
  if (indexType === 'none' || dimensions <= INDEXABLE[vectorType]) return;
  const instead = vectorType === 'vector' && dimensions <= INDEXABLE.halfvec ? "vectorType 'halfvec', or " : '';
  throw new VernalError(
    `pgvector indexes up to ${INDEXABLE[vectorType]} dimensions of ${vectorType}, the model has ${dimensions}: set ${instead}indexType 'none'`,
    { code: 'invalid_argument', subject: 'dimensions', details: { dimensions } },
  );
}

/** Makes all but the indexes. Runs in a transaction; locks let one process at a time through, for IF NOT EXISTS alone does not. */
export async function createTable(connection: PgQueryable, settings: PgSettings, dimensions: number): Promise<void> {
  const { table, idType, vectorType } = settings;
  await makeSurroundings(connection, settings);
  await lock(connection, `vernal ${table}`);
  if (settings.removeExistingTable) await connection.query(`DROP TABLE IF EXISTS ${table}`);
  await connection.query(
    `CREATE TABLE IF NOT EXISTS ${table} (id ${idType} PRIMARY KEY, content text, metadata jsonb, embedding ${vectorType}(${dimensions}))`,
  );
}

/** Makes those that are missing. Throws `invalid_argument` when something else has the name of one. */
export async function createIndexes(connection: PgQueryable, settings: PgSettings): Promise<void> {
  const wanted = indexes(settings);
  for (const [name, definition] of wanted)
    await connection.query(
      `CREATE INDEX IF NOT EXISTS ${sqlIdentifier('postgres', name, 'index')} ON ${settings.table} ${definition}`,
    );
  await checkIndexes(
    connection,
    settings,
    wanted.map(([name]) => name),
  );
}

/** Extension and schema. What is there is not asked for again: that takes rights which the owner of a table need not have. */
async function makeSurroundings(connection: PgQueryable, { schema, schemaName }: PgSettings): Promise<void> {
  const look = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS extension,
    EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS schema`;
  const { rows } = await connection.query(look, [schemaName]);
  const there = rows[0] as { readonly extension: boolean; readonly schema: boolean };
  if (there.extension && there.schema) return;
  await lock(connection, 'vernal');
  if (!there.extension) await connection.query('CREATE EXTENSION IF NOT EXISTS vector');
  if (!there.schema) await connection.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
}

async function lock(connection: PgQueryable, name: string): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtext($1))', [name]);
}

/** Name and definition of each index that the settings ask for. */
function indexes(settings: PgSettings): [name: string, definition: string][] {
  const { index, indexType, vectorType, metric, hnsw, lists, metadataIndex, textIndex, textSearch } = settings;
  const column = `(embedding ${vectorType}_${PG_METRICS[metric].opclass})`;
  const wanted: [string, string][] = [];
  if (indexType === 'hnsw')
    wanted.push([index, `USING hnsw ${column} WITH (m = ${hnsw.m}, ef_construction = ${hnsw.efConstruction})`]);
  if (indexType === 'ivfflat') wanted.push([index, `USING ivfflat ${column} WITH (lists = ${lists})`]);
  if (metadataIndex !== undefined) wanted.push([metadataIndex, 'USING gin (metadata jsonb_path_ops)']);
  if (textSearch !== undefined) wanted.push([textIndex, `USING gin (${searchedText(textSearch)})`]);
  return wanted;
}

/** What the scans of a transaction are given, without parameters. `goesOn`: pgvector is 0.8 or later, whose scans can. */
export function scanSettings(settings: PgSettings, topK: number, goesOn: boolean): string {
  const { indexType, efSearch, probes, maxScanTuples } = settings;
  const values: [string, string | number][] = [];
  if (indexType === 'hnsw') {
    // The index gives no more rows than this, and a filter is applied after it: the scan has to go on.
    values.push(['hnsw.ef_search', Math.min(1000, Math.max(efSearch, topK))]);
    if (goesOn)
      values.push(
        ['hnsw.iterative_scan', 'strict_order'],
        ['hnsw.max_scan_tuples', maxScanTuples],
        // Without it a scan ends at work_mem, long before maxScanTuples.
        ['hnsw.scan_mem_multiplier', 100],
      );
  }
  if (indexType === 'ivfflat') {
    values.push(['ivfflat.probes', probes]);
    if (goesOn) values.push(['ivfflat.iterative_scan', 'relaxed_order'], ['ivfflat.max_probes', 32_768]);
  }
  if (values.length === 0) return '';
  return `SELECT ${values.map(([name, value]) => `set_config('${name}', ${literal(String(value))}, true)`).join(', ')}`;
}
