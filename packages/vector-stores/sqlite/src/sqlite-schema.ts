import { VernalError } from '@vernal/core';
import { inTransaction, type SqliteConnection, sqlIdentifier } from '@vernal/sql';
import { literal } from './sqlite-identifier.js';
import type { SqliteSettings } from './sqlite-settings.js';

/**
 * Makes what is missing, all or nothing. Vectors have a table of their own: a search reads all of them, and few of the texts. In the other
 * one metadata stand before the text, which may fill many pages that a filter then need not read.
 */
export function createSchema(database: SqliteConnection, settings: SqliteSettings, dimensions: number): void {
  const { documents, vectors, words, schema, nameOfTable, nameOfVectors } = settings;
  const table = sqlIdentifier('sqlite', nameOfTable, 'table');
  inTransaction(database, () => {
    if (settings.removeExistingTable)
      for (const name of [words, vectors, documents]) database.exec(`DROP TABLE IF EXISTS ${name}`);
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${documents} ("row" INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
         metadata TEXT NOT NULL CONSTRAINT vernal_metadata CHECK (json_valid(metadata)), content TEXT NOT NULL)`,
    );
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${vectors} ("row" INTEGER PRIMARY KEY,
         embedding BLOB NOT NULL CONSTRAINT vernal_dimensions CHECK (length(embedding) = 4 * ${dimensions}))`,
    );
    database.exec(
      `CREATE TRIGGER IF NOT EXISTS ${schema}.${sqlIdentifier('sqlite', `${nameOfVectors}_deleted`, 'table')} AFTER DELETE ON ${table}
       BEGIN DELETE FROM ${sqlIdentifier('sqlite', nameOfVectors, 'table')} WHERE "row" = old."row"; END`,
    );
    createWords(database, settings);
  });
}

/** The texts are not stored again; triggers keep the index, whoever writes. Source: https://sqlite.org/fts5.html, external content tables. */
function createWords(database: SqliteConnection, settings: SqliteSettings): void {
  const { tokenizer, schema, nameOfTable, nameOfWords } = settings;
  if (tokenizer === undefined || statementOf(database, settings, nameOfWords) !== undefined) return;
  const [table, words] = [sqlIdentifier('sqlite', nameOfTable, 'table'), sqlIdentifier('sqlite', nameOfWords, 'table')];
  const gone = `INSERT INTO ${words} (${words}, rowid, content) VALUES ('delete', old."row", old.content);`;
  const come = `INSERT INTO ${words} (rowid, content) VALUES (new."row", new.content);`;
  database.exec(
    `CREATE VIRTUAL TABLE ${settings.words} USING fts5(content, content=${literal(nameOfTable)}, content_rowid='row',
       tokenize=${literal(tokenizer)})`,
  );
  for (const [event, body] of [
    ['INSERT', come],
    ['DELETE', gone],
    ['UPDATE', gone + come],
  ] as const) {
    const trigger = sqlIdentifier('sqlite', `${nameOfWords}_${event.toLowerCase()}`, 'table');
    database.exec(`DROP TRIGGER IF EXISTS ${schema}.${trigger}`);
    database.exec(`CREATE TRIGGER ${schema}.${trigger} AFTER ${event} ON ${table} BEGIN ${body} END`);
  }
  database.exec(`INSERT INTO ${settings.words} (${words}) VALUES ('rebuild')`);
}

/** Throws `store_read` with what is missing, and how to make it. `dimensions` undefined: any. */
export function validateSchema(
  database: SqliteConnection,
  settings: SqliteSettings,
  dimensions: number | undefined,
): void {
  const { nameOfTable, nameOfVectors, nameOfWords, tokenizer } = settings;
  const faults = [
    ...missing(database, settings, nameOfTable, ['row', 'id', 'content', 'metadata']),
    ...missing(database, settings, nameOfVectors, ['row', 'embedding']),
  ];
  const indexed = tokenizer === undefined ? undefined : statementOf(database, settings, nameOfWords);
  if (tokenizer !== undefined && indexed === undefined)
    faults.push('the table of words is missing, which keywordSearch needs');
  if (tokenizer !== undefined && indexed?.includes(`tokenize=${literal(tokenizer)}`) === false)
    faults.push('its words were indexed by another tokenizer than keywordSearch names');
  const [encoding] = database.prepare('PRAGMA encoding').all();
  if ((encoding as { encoding: string }).encoding !== 'UTF-8')
    faults.push('texts are in UTF-16, which puts them in another order: make a database in UTF-8');
  const held = faults.length === 0 ? heldDimensions(database, settings) : undefined;
  if (dimensions !== undefined && held !== undefined && held !== dimensions)
    faults.push(`its vectors have ${held} dimensions, those of the model ${dimensions}`);
  if (faults.length > 0)
    throw new VernalError(
      `The tables of the vector store do not fit: ${faults.join('; ')}. Make them anew, or set initializeSchema to 'create' for those that are missing`,
      { code: 'store_read', subject: 'table', details: { faults } },
    );
  database.prepare('SELECT vec_version() AS version').all();
}

function missing(
  database: SqliteConnection,
  { nameOfSchema }: SqliteSettings,
  table: string,
  columns: readonly string[],
): string[] {
  const rows = database.prepare('SELECT name FROM pragma_table_info(?, ?)').all(table, nameOfSchema);
  const names = new Set((rows as { name: string }[]).map(({ name }) => name));
  if (names.size === 0) return [`the table ${table} does not exist`];
  return columns.filter((name) => !names.has(name)).map((name) => `the column ${name} of ${table} is missing`);
}

/** That which made the table; undefined where there is none. */
function statementOf(database: SqliteConnection, { schema }: SqliteSettings, table: string): string | undefined {
  const [row] = database.prepare(`SELECT sql FROM ${schema}.sqlite_master WHERE name = ?`).all(table);
  return (row as { sql: string } | undefined)?.sql;
}

/** By the constraint, else by what is stored. */
function heldDimensions(database: SqliteConnection, settings: SqliteSettings): number | undefined {
  const { vectors, nameOfVectors } = settings;
  const made = statementOf(database, settings, nameOfVectors) ?? '';
  const declared = /length\(embedding\) = 4 \* (\d+)/.exec(made)?.[1];
  if (declared !== undefined) return Number(declared);
  const [first] = database.prepare(`SELECT length(embedding) / 4 AS held FROM ${vectors} LIMIT 1`).all();
  return first === undefined ? undefined : Number((first as { held: number | bigint }).held);
}
