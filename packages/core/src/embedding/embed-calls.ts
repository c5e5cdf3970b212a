import type { CallContext } from '../context/call-context.js';
import { formatDocument } from '../documents/content-format.js';
import type { Document } from '../documents/document.js';
import { UnsupportedCapabilityError } from '../errors/unsupported-capability-error.js';
import { VernalError } from '../errors/vernal-error.js';
import type { BatchingStrategy } from './batching-strategy.js';
import type { DocumentEmbeddingModel, EmbeddingModel, EmbeddingOptions } from './embedding-model.js';
import { type InputRange, splitByLimits } from './split-by-limits.js';

/** One request for neighbouring documents. */
export interface EmbedCall extends InputRange {
  run(): Promise<readonly Float32Array[]>;
}

interface EmbedSettings extends CallContext {
  readonly batchingStrategy?: BatchingStrategy | undefined;
  readonly options?: EmbeddingOptions | undefined;
}

/** All requests that embedding these documents takes, in order, none of them started. */
export function embedCalls(
  model: EmbeddingModel | DocumentEmbeddingModel,
  documents: readonly Document[],
  { batchingStrategy, options, signal, observation }: EmbedSettings,
): readonly EmbedCall[] {
  const context: CallContext = { signal, observation };
  if (takesDocuments(model)) {
    return rangesOf(documents, batchingStrategy, undefined).map((range) => ({
      ...range,
      run: () => model.embedDocuments(documents.slice(range.start, range.end), options, context),
    }));
  }
  refuseMedia(model, documents);
  const sent = documents.map((document) => asSent(document, formatDocument(document, model.metadataMode ?? 'embed')));
  const texts = sent.map(({ text }) => text);
  return rangesOf(sent, batchingStrategy, () => splitByLimits(texts, model.limits)).map((range) => ({
    ...range,
    run: () => model.embed(texts.slice(range.start, range.end), options, context),
  }));
}

function takesDocuments(model: EmbeddingModel | DocumentEmbeddingModel): model is DocumentEmbeddingModel {
  return 'embedDocuments' in model && typeof model.embedDocuments === 'function';
}

function rangesOf(
  documents: readonly Document[],
  strategy: BatchingStrategy | undefined,
  standard: (() => readonly InputRange[]) | undefined,
): readonly InputRange[] {
  if (documents.length === 0) return [];
  if (strategy !== undefined) return rangesByStrategy(documents, strategy);
  return standard?.() ?? [{ start: 0, end: documents.length }];
}

/** Ids are compared, not objects: a strategy may copy what it is given. */
function rangesByStrategy(documents: readonly Document[], strategy: BatchingStrategy): readonly InputRange[] {
  const ranges: InputRange[] = [];
  let at = 0;
  for (const batch of strategy.batch(documents)) {
    const isInOrder = batch.every(({ id }, i) => id === documents[at + i]?.id);
    if (!isInOrder) throw misbatched();
    if (batch.length > 0) ranges.push({ start: at, end: at + batch.length });
    at += batch.length;
  }
  if (at !== documents.length) throw misbatched();
  return ranges;
}

function misbatched(): VernalError {
  return new VernalError(
    'The batching strategy lost, repeated or reordered documents; give every document once, in order',
    {
      code: 'invalid_state',
      subject: 'batchingStrategy',
    },
  );
}

/** The document as the model will read it: in every mode it formats to `text`, so that a strategy counts what is sent. */
function asSent(document: Document, text: string): Document & { readonly text: string } {
  return { ...document, text, format: { textTemplate: '{content}' } };
}

function refuseMedia(model: EmbeddingModel, documents: readonly Document[]): void {
  const ids = documents.filter(({ text }) => text === undefined).map(({ id }) => id);
  if (ids.length === 0) return;
  const some = ids.slice(0, 5).join(', ');
  throw new UnsupportedCapabilityError(
    `${model.provider} embeds text only, and ${ids.length} documents are media (${some}); leave them out, or use a model that takes documents`,
    { capability: 'media', owner: model.provider, subject: 'documents', details: { ids } },
  );
}
