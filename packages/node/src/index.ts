export type { FileDocumentWriterOptions } from './file-document-writer.js';
export { FileDocumentWriter } from './file-document-writer.js';
export { fileResource } from './file-resource.js';
export type { FileIngestLedgerOptions } from './ledger/file-ingest-ledger.js';
export { FileIngestLedger } from './ledger/file-ingest-ledger.js';
export type { ListFilesOptions } from './list-files.js';
export { listFiles } from './list-files.js';
export type { PooledFetch, PooledFetchOptions } from './pooled-fetch.js';
export { pooledFetch } from './pooled-fetch.js';
