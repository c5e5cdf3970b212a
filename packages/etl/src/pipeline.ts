import type { CallContext, Document, DocumentReader, Documents, DocumentWriter } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { type Stage, type Transform, transformStage } from './transforms.js';
import { writeBatches } from './write-batches.js';

/** How far a run is. `written` may be more than `read`: splitters make documents. */
export interface WriteProgress {
  /** Documents the source gave so far. */
  readonly read: number;
  /** Documents that were written, after all transformers. */
  readonly written: number;
}

/** How fast a run writes, and what ends it. Out of range is `invalid_argument`. */
export interface WriteOptions {
  /** Batches being written at a time. Default 1. */
  readonly concurrency?: number | undefined;
  /** Documents a batch. Default 100. */
  readonly batchSize?: number | undefined;
  /** Called after each batch that landed. What it throws ends the run. */
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Documents on their way from a source through transformers to a writer. Immutable: each step gives a new pipeline. Nothing is read
 * before it is iterated or written, and every run asks its source anew.
 */
export interface Pipeline extends AsyncIterable<Document> {
  transform(transformer: Transform): Pipeline;
  /**
   * Runs it: lazy, bounded memory, back-pressure from writer to reader. At most `concurrency` batches are being written and one is being
   * filled. After an error nothing more is read, the source is closed, batches under way are waited for, and the error of the first batch
   * that failed is thrown as it is. An aborted run does not wait for a source or a writer that ignores its signal.
   *
   * @throws VernalError `invalid_argument` for bad options, `aborted` or `timeout` by the signal, and what source, transformers and
   * writer throw
   */
  write(writer: DocumentWriter, options?: WriteOptions): Promise<{ readonly read: number; readonly written: number }>;
}

/**
 * Starts a pipeline at a reader, or at documents. Source: Spring AI's ETL pipeline (`DocumentReader`, `DocumentTransformer`,
 * `DocumentWriter`).
 *
 * @throws VernalError `invalid_argument` when the source is neither
 *
 * @example
 * const { written } = await etl(new TextReader(resource))
 *   .transform(new TokenTextSplitter())
 *   .write(vectorStore, { concurrency: 2, onProgress: ({ written }) => report(written) });
 */
export function etl(source: DocumentReader | Documents): Pipeline {
  return pipeline(sourceStage(source), []);
}

function pipeline(open: (context: CallContext) => AsyncIterable<Document>, stages: readonly Stage[]): Pipeline {
  const run = (context: CallContext, onRead: () => void): AsyncIterable<Document> =>
    stages.reduce<AsyncIterable<Document>>(
      (documents, stage) => stage(documents, context),
      counted(open(context), onRead),
    );
  return {
    transform(transformer) {
      return pipeline(open, [...stages, transformStage(transformer)]);
    },
    write(writer, options = {}) {
      let read = 0;
      const documents = run({ signal: options.signal }, () => read++);
      return writeBatches(documents, writer, options, () => read);
    },
    [Symbol.asyncIterator]: () => run({}, () => {})[Symbol.asyncIterator](),
  };
}

async function* counted(documents: AsyncIterable<Document>, onRead: () => void): AsyncGenerator<Document> {
  for await (const document of documents) {
    onRead();
    yield document;
  }
}

function sourceStage(source: DocumentReader | Documents): (context: CallContext) => AsyncIterable<Document> {
  if (typeof source === 'object' && source !== null) {
    if ('stream' in source && typeof source.stream === 'function') return (context) => source.stream(context);
    if (Symbol.asyncIterator in source) return () => source;
    if (Symbol.iterator in source) return () => toAsync(source);
  }
  throw invalidArgument('source', 'pass a DocumentReader, or documents as an array, iterable or async iterable');
}

async function* toAsync(documents: Iterable<Document>): AsyncGenerator<Document> {
  yield* documents;
}
