import type { Document, DocumentReader, Documents, DocumentTransformer, DocumentWriter } from '@vernal/core';

export interface WriteOptions {
  /** Batches being written at a time. Default 1. */
  readonly concurrency?: number | undefined;
  /** Documents a batch. Default 100. */
  readonly batchSize?: number | undefined;
  readonly onProgress?: ((progress: { readonly read: number; readonly written: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Pipeline extends AsyncIterable<Document> {
  transform(
    transformer: DocumentTransformer | ((documents: AsyncIterable<Document>) => AsyncIterable<Document>),
  ): Pipeline;
  /** Runs it: lazy, bounded memory, back-pressure from writer to reader. */
  write(writer: DocumentWriter, options?: WriteOptions): Promise<{ readonly read: number; readonly written: number }>;
}

export declare function etl(source: DocumentReader | Documents): Pipeline;
