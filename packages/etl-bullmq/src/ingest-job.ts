import { VernalError } from '@vernal/core';
import type { IngestOutcome } from '@vernal/etl';

/** What is to be done with one source. */
export interface IngestJobData {
  readonly source: string;
  readonly action: 'ingest' | 'remove';
}

/** What became of it. */
export interface IngestJobResult {
  readonly outcome: Exclude<IngestOutcome, 'failed'>;
  /** Passages that were written, that an interrupted run had written already, and ids that were deleted. */
  readonly written: number;
  readonly resumed: number;
  readonly deleted: number;
}

/** Queues of BullMQ take no colon in the name of a job. */
export const JOB_NAME: string = 'source';

/** An error as a queue may keep it: words of others may quote contents. */
export function jobFault(error: unknown): string {
  if (VernalError.is(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : 'Error';
}

/** May another try go well? Errors that are not Vernal's may pass, for nobody knows. */
export function isWorthRetrying(error: unknown): boolean {
  return !VernalError.is(error) || error.retryable === true || error.code === 'ingest_conflict';
}
