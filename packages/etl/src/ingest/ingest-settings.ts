import { type IngestLedger, invalidArgument, type Logger, type RetryPolicy, safeLogger } from '@vernal/core';
import { type Stage, transformStages } from '../transforms.js';
import type { IngestOptions, IngestTarget } from './ingest-options.js';

/** Options that were checked, with their defaults. */
export interface IngestSettings {
  readonly ledger: IngestLedger;
  readonly target: IngestTarget;
  readonly transform: Stage;
  readonly enrich: Stage;
  readonly version: string;
  readonly concurrency: number;
  readonly writeConcurrency: number;
  readonly batchSize: number;
  readonly retry: RetryPolicy;
  readonly throws: boolean;
  readonly flushEvery: number;
  readonly logger: Logger;
}

const RETRY: RetryPolicy = { maxAttempts: 3, initialDelayMs: 1000 };

/** @throws VernalError `invalid_argument` */
export function ingestSettings(options: IngestOptions): IngestSettings {
  const { ledger, target, concurrency = 4, writeConcurrency = 1, batchSize = 100, flushEvery = 5000 } = options;
  if (typeof ledger?.put !== 'function') throw invalidArgument('ledger', 'pass an IngestLedger');
  if (typeof target?.write !== 'function' || typeof target.delete !== 'function')
    throw invalidArgument('target', 'pass an object with write(documents) and delete(ids), such as a vector store');
  if (target.takesWholeStream === true)
    throw invalidArgument(
      'target',
      'replaces all that it holds with each write: pass one that adds, such as a vector store',
    );
  for (const [subject, value] of Object.entries({ concurrency, writeConcurrency, batchSize, flushEvery }))
    if (!Number.isSafeInteger(value) || value < 1) throw invalidArgument(subject, 'must be a whole number, at least 1');
  return {
    ledger,
    target,
    transform: transformStages(options.transform),
    enrich: transformStages(options.enrich),
    version: options.version ?? '',
    concurrency,
    writeConcurrency,
    batchSize,
    retry: options.retry ?? RETRY,
    throws: options.onError === 'throw',
    flushEvery,
    logger: safeLogger(options.logger),
  };
}
