import type { CallContext, IngestLedger, LedgerEntry, LedgerPage, StoredLedgerEntry } from '@vernal/core';
import { contentId, invalidArgument, VernalError } from '@vernal/core';
import { ledgerPage } from '@vernal/core/adapter';
import { type SqlDatabase, type SqlResult, type SqlStatement, type SqlValue, sqlIdentifier } from '@vernal/sql';

/** All may be left out. */
export interface SqlIngestLedgerOptions {
  /** Default `'default'`. */
  readonly scope?: string | undefined;
  /** Default `'vernal_ingest_ledger'`. */
  readonly table?: string | undefined;
  /** Of PostgreSQL, or the name of an attached database of SQLite. Default what the connection takes by itself. */
  readonly schema?: string | undefined;
  /** `'create'` makes the table if it is not there. Default `'none'`. */
  readonly initializeSchema?: 'create' | 'none' | undefined;
}

/**
 * A ledger in a table of PostgreSQL or SQLite: for ingests on several machines, and for those that have a database anyway. The table has
 * the columns `scope`, `key`, `source`, `revision` and `entry`; rows are found by `key`, a hash of the source, for names may be longer than
 * indexes take.
 *
 * @throws VernalError `invalid_argument` for names that the engine cannot keep, and for sources with U+0000 or half a surrogate pair, which
 * PostgreSQL cannot; `database` for what the engine refuses
 * @example
 * ```ts
 * const ledger = new SqlIngestLedger(postgresDatabase(pool), { initializeSchema: 'create' });
 * await ingest(sources, { ledger, target: vectorStore });
 * ```
 */
export class SqlIngestLedger implements IngestLedger {
  readonly scope: string;
  readonly #database: SqlDatabase;
  readonly #table: string;
  readonly #creates: boolean;
  #ready: Promise<void> | undefined;

  constructor(database: SqlDatabase, options: SqlIngestLedgerOptions = {}) {
    if (typeof database?.run !== 'function')
      throw invalidArgument('database', 'pass what postgresDatabase() or sqliteDatabase() of @vernal/sql gives');
    const { scope = 'default', table = 'vernal_ingest_ledger', schema, initializeSchema = 'none' } = options;
    this.scope = scope;
    this.#database = database;
    const name = sqlIdentifier(database.dialect, table, 'table');
    this.#table = schema === undefined ? name : `${sqlIdentifier(database.dialect, schema, 'schema')}.${name}`;
    this.#creates = initializeSchema === 'create';
  }

  async get(source: string, context?: CallContext): Promise<StoredLedgerEntry | undefined> {
    const text = `SELECT revision, entry FROM ${this.#table} WHERE scope = ? AND key = ?`;
    const { rows } = await this.#run(text, [this.scope, await keyOf(source)], context);
    const [row] = rows;
    if (row === undefined) return undefined;
    return { ...(JSON.parse(String(row['entry'])) as LedgerEntry), revision: String(row['revision']) };
  }

  async put(entry: LedgerEntry, revision: string | undefined, context?: CallContext): Promise<string | undefined> {
    const { source, current, pending, stale } = entry;
    requireStorable(source);
    const next = globalThis.crypto.randomUUID();
    const key = await keyOf(source);
    const json = JSON.stringify({ source, current, pending, stale });
    const [text, values] =
      revision === undefined
        ? [
            `INSERT INTO ${this.#table} (scope, key, source, revision, entry) VALUES (?, ?, ?, ?, ?) ON CONFLICT (scope, key) DO NOTHING`,
            [this.scope, key, source, next, json],
          ]
        : [
            `UPDATE ${this.#table} SET revision = ?, entry = ? WHERE scope = ? AND key = ? AND revision = ?`,
            [next, json, this.scope, key, revision],
          ];
    const { changes } = await this.#run(text, values, context);
    return changes === 1 ? next : undefined;
  }

  async delete(source: string, revision: string, context?: CallContext): Promise<boolean> {
    const text = `DELETE FROM ${this.#table} WHERE scope = ? AND key = ? AND revision = ?`;
    return (await this.#run(text, [this.scope, await keyOf(source), revision], context)).changes === 1;
  }

  async sources(page?: LedgerPage, context?: CallContext): Promise<readonly string[]> {
    const { after, limit } = ledgerPage(page);
    const text = `SELECT source FROM ${this.#table} WHERE scope = ? AND key > ? ORDER BY key LIMIT ?`;
    const from = after === undefined ? '' : await keyOf(after);
    const { rows } = await this.#run(text, [this.scope, from, limit], context);
    return rows.map((row) => String(row['source']));
  }

  /** Nothing: the connection is the caller's. */
  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  async #run(text: string, values: readonly SqlValue[], context: CallContext | undefined): Promise<SqlResult> {
    if (this.#creates) await this.#initialized(context);
    const [result] = await this.#database.run([{ text, values }], context);
    if (result === undefined) throw new VernalError('The database gave no result', { code: 'database' });
    return result;
  }

  /** Once; after a failure the next call tries again. */
  async #initialized(context: CallContext | undefined): Promise<void> {
    this.#ready ??= this.#database.run(this.#schema(), context).then(() => {});
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  #schema(): readonly SqlStatement[] {
    const isPostgres = this.#database.dialect === 'postgres';
    // Keys are compared byte by byte on both.
    const key = isPostgres ? 'TEXT COLLATE "C"' : 'TEXT';
    const create = {
      text: `CREATE TABLE IF NOT EXISTS ${this.#table} (scope TEXT NOT NULL, key ${key} NOT NULL, source TEXT NOT NULL, revision TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (scope, key))`,
    };
    // Two that create the same at once: PostgreSQL lets one of them fail, IF NOT EXISTS or not.
    const lock = { text: "SELECT pg_advisory_xact_lock(hashtext('vernal_ingest_ledger'))" };
    return isPostgres ? [lock, create] : [create];
  }
}

/** UUIDs, whose texts have one order everywhere. */
function keyOf(source: string): Promise<string> {
  return contentId(source);
}

function requireStorable(source: string): void {
  if (/\0|\p{Surrogate}/u.test(source))
    throw invalidArgument('source', 'must not hold U+0000 or half a surrogate pair, which databases do not keep');
}
