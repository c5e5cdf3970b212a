export type { IngestJobResult } from './ingest-job.js';
export type {
  DeadLetter,
  IngestQueueOptions,
  QueuedIngestEvent,
  QueuedIngestOptions,
} from './ingest-queue.js';
export { IngestQueue } from './ingest-queue.js';
export type { IngestWorkerOptions } from './ingest-worker.js';
export { IngestWorker } from './ingest-worker.js';
export type { QueuePlace } from './queue-options.js';
export type { RedisIngestLedgerOptions, RedisLedgerClient } from './redis-ingest-ledger.js';
export { RedisIngestLedger } from './redis-ingest-ledger.js';
