export type { SqlIngestLedgerOptions } from './ledger/sql-ingest-ledger.js';
export { SqlIngestLedger } from './ledger/sql-ingest-ledger.js';
