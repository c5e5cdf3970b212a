import type { VernalError } from '@vernal/core';
import { type SqliteFault, sqliteError } from '@vernal/sql';

/** SQLite gives most faults one code, and only its words tell them apart. */
const FAULTS: readonly SqliteFault[] = [
  {
    pattern: /no such function: vec_/i,
    fix: 'the extension sqlite-vec is missing: load(database) of the package sqlite-vec loads it',
    subject: 'database',
  },
  { pattern: /no such function: json|no such module: json/i, fix: 'SQLite 3.38 or newer is needed, for JSON' },
  {
    pattern: /no such module: fts5/i,
    fix: 'this SQLite has no FTS5: leave keywordSearch out',
    subject: 'keywordSearch',
  },
  {
    pattern: /no such tokenizer|error in tokenizer constructor|parse error in "tokenize/i,
    fix: 'keywordSearch names no tokenizer of FTS5: see https://sqlite.org/fts5.html',
    subject: 'keywordSearch',
  },
  {
    pattern: /no such table/i,
    fix: "a table does not exist: create it, or set initializeSchema to 'create'",
    subject: 'table',
  },
  {
    pattern: /no such column|has no column/i,
    fix: "the table has other columns: see initializeSchema 'validate'",
    subject: 'table',
  },
  { pattern: /unknown database/i, fix: 'no database is attached under the name schema', subject: 'schema' },
  {
    pattern: /constraint failed: vernal_dimensions|dimension mist?match/i,
    fix: 'the vectors have other dimensions than those in the table: use the model that the table was filled with',
    subject: 'dimensions',
  },
  {
    pattern: /constraint failed: vernal_metadata|malformed JSON/i,
    fix: 'metadata are no JSON that SQLite reads, which nests up to 1,000 levels',
    subject: 'metadata',
  },
  {
    pattern: /too many SQL variables|Expression tree is too large|parser stack overflow/i,
    fix: 'the filter is too large for one statement: use IN for lists of values, and nest less',
    subject: 'filter',
  },
  { pattern: /too big/i, fix: 'a text is longer than SQLite takes: split the document' },
  {
    pattern: /(?:database|connection).*(?:not open|closed)/i,
    fix: 'the database is closed: close it after the store',
    subject: 'database',
  },
];

/** What the driver threw, as the `sqliteError` of `@vernal/sql` tells it, with what tables of vectors can lack. */
export function storeError(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  return sqliteError(thrown, { code, faults: FAULTS });
}
