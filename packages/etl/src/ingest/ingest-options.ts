import type { CallContext, DocumentWriter, IngestLedger, Logger, RetryPolicy } from '@vernal/core';
import type { Transform } from '../transforms.js';

/** What passages are written to and deleted from; every vector store is one. */
export interface IngestTarget extends DocumentWriter {
  /** Unknown ids are no error. */
  delete(ids: readonly string[], context?: CallContext): Promise<unknown>;
}

/** What became of a source. */
export type IngestOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'failed';

/** Told while a run goes on. */
export type IngestEvent =
  | {
      readonly type: 'source';
      readonly source: string;
      readonly outcome: IngestOutcome;
      /** Passages of it that were written in this run. */
      readonly written: number;
      /** Of those that failed. */
      readonly error?: unknown;
    }
  | {
      readonly type: 'batch';
      readonly source: string;
      /** Passages of the source that are in the store so far, those of an earlier run included. */
      readonly written: number;
    };

/** Ledger and target are required. */
export interface IngestOptions {
  /** Remembers what is in the target. */
  readonly ledger: IngestLedger;
  /** Where passages go to. */
  readonly target: IngestTarget;
  /** Makes passages of documents: splitters above all. Has to give the same passages of the same documents. */
  readonly transform?: Transform | readonly Transform[] | undefined;
  /** What is costly and adds to passages, such as enrichers that ask a model: run batch by batch, and only for what is written. Keeps ids. */
  readonly enrich?: Transform | readonly Transform[] | undefined;
  /** Change it when `transform`, `enrich` or the embedding model do: everything is then made anew. Default `''`. */
  readonly version?: string | undefined;
  /** Also deletes what the ledger has and `sources` did not name. Default false. */
  readonly removeMissing?: boolean | undefined;
  /** With `removeMissing`: even when not one source was named, which is an error otherwise. Default false. */
  readonly allowEmpty?: boolean | undefined;
  /** Sources at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Batches of one source that are written at the same time. Default 1. */
  readonly writeConcurrency?: number | undefined;
  /** Passages a batch. Default 100. */
  readonly batchSize?: number | undefined;
  /** Of writing a batch and deleting passages. Default three tries with 1, then 5 seconds between them, of errors that may pass. */
  readonly retry?: RetryPolicy | undefined;
  /** `'throw'`: a source that fails ends the run. Default `'continue'`: the others go on, and what the store has of it stays. */
  readonly onError?: 'continue' | 'throw' | undefined;
  /**
   * Makes durable what the target holds, such as saving a store that lives in memory. The ledger is told of passages only when a flush
   * that began after them is through. What it throws ends the run.
   */
  readonly flush?: ((context: CallContext) => Promise<void>) | undefined;
  /** Passages between two flushes. Default 5,000. */
  readonly flushEvery?: number | undefined;
  /** What it throws ends the run. */
  readonly onProgress?: ((event: IngestEvent) => void) | undefined;
  readonly logger?: Logger | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Of a whole run. Sources are counted by what became of them. */
export interface IngestReport {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly failed: readonly { readonly source: string; readonly error: unknown }[];
  /** Passages that were written in this run. */
  readonly written: number;
  /** Passages that an interrupted run had written already. */
  readonly resumed: number;
  /** Ids that the target was told to delete. */
  readonly deleted: number;
}
