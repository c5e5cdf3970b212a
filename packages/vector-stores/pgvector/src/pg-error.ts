import type { VernalError } from '@vernal/core';
import { postgresError, type SqlFault } from '@vernal/sql';

const OTHER_TYPE = 'a column has another type: see initializeSchema and idType';
const NOT_INSTALLED = 'the extension pgvector is not installed on the server: install it there';
// No statement is wrong: the parser has no more room. PGlite's loses the statement instead.
const TOO_LARGE: SqlFault = {
  fix: 'the filter is too large or too deep for one statement: use IN for lists of values, and nest less',
  subject: 'filter',
};

const FAULTS: Readonly<Record<string, SqlFault>> = {
  '42P01': { fix: "the table does not exist: create it, or set initializeSchema to 'create'", subject: 'table' },
  '42703': { fix: "the table has other columns: see initializeSchema 'validate'" },
  '42704': {
    fix: 'the extension pgvector, or the text search configuration, is missing: run CREATE EXTENSION vector',
  },
  '0A000': { fix: NOT_INSTALLED },
  '58P01': { fix: NOT_INSTALLED },
  '42P10': { fix: 'the column id is not unique, which adding needs: make it the primary key' },
  '42804': { fix: OTHER_TYPE },
  '42883': { fix: OTHER_TYPE },
  '3F000': { fix: "the schema does not exist: create it, or set initializeSchema to 'create'", subject: 'schema' },
  '22000': {
    fix: 'the vectors have other dimensions than the column: use the model that the table was filled with',
    subject: 'dimensions',
  },
  '22001': { fix: 'a text is longer than its column: make it text, or give shorter ids' },
  '22003': { fix: "a value is beyond the column's range: halfvec ends at 65,504; use vectorType 'vector'" },
  '42601': TOO_LARGE,
  '54001': TOO_LARGE,
  '26000': TOO_LARGE,
  '54000': {
    fix: 'an id is too long for its index, which takes 2,704 bytes that cannot be packed: give shorter ids',
    subject: 'id',
  },
};

/** What the driver threw, as `postgresError` tells it, with what a table of vectors can lack. */
export function pgError(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  return postgresError(thrown, { code, faults: FAULTS });
}
