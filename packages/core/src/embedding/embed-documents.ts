import { abortError, throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import type { Document } from '../documents/document.js';
import { EmbeddingError } from '../errors/embedding-error.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import { ModelError } from '../errors/model-error.js';
import { VernalError } from '../errors/vernal-error.js';
import type { BatchingStrategy } from './batching-strategy.js';
import { floats } from './checked-embeddings.js';
import { type EmbedCall, embedCalls } from './embed-calls.js';
import type { DocumentEmbeddingModel, EmbeddingModel, EmbeddingOptions } from './embedding-model.js';

/** How the documents are put into requests, and what ends them. */
export interface EmbedDocumentsOptions extends CallContext {
  /** Default: the model's `limits`, tokens estimated at four characters each (fewer in scripts other than Latin). */
  readonly batchingStrategy?: BatchingStrategy | undefined;
  /** Requests at a time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Ends what is running and starts nothing more. */
  readonly signal?: AbortSignal | undefined;
  readonly options?: EmbeddingOptions | undefined;
}

interface Failure {
  readonly start: number;
  readonly end: number;
  readonly error: unknown;
}

/**
 * The one way adapters embed: formats by the model's `metadataMode`, batches what is really sent, keeps the order.
 * A request that fails for good does not stop the others; at the end one `EmbeddingError` names what failed and holds the rest. An abort
 * before anything was embedded is `aborted` or `timeout`. A model that takes documents itself (`embedDocuments`) gets them as they are;
 * to any other, media are an `UnsupportedCapabilityError` before anything is sent.
 * Source: `EmbeddingModel.embed(documents, options, batchingStrategy)` of spring-ai-model.
 *
 * @example
 * const vectors = await embedDocuments(model, documents, { concurrency: 2, signal });
 */
export async function embedDocuments(
  model: EmbeddingModel | DocumentEmbeddingModel,
  documents: readonly Document[],
  options: EmbedDocumentsOptions = {},
): Promise<Float32Array[]> {
  const { concurrency = 4, signal } = options;
  if (!(concurrency >= 1)) throw invalidArgument('concurrency', 'must be a number of at least 1');
  throwIfAborted(signal);
  const calls = embedCalls(model, documents, options);
  const vectors: Float32Array[] = [];
  const failures: Failure[] = [];
  let next = 0;

  async function work(): Promise<void> {
    for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
      try {
        throwIfAborted(signal);
        const given = await answerOf(call, model.provider);
        for (let i = 0; i < given.length; i++) vectors[call.start + i] = floats(given[i] ?? []);
      } catch (error) {
        failures.push({ start: call.start, end: call.end, error });
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, work));
  if (failures.length === 0) return vectors;
  if (signal?.aborted && failures.length === calls.length) throw abortError(signal);
  throw partlyEmbedded(model.provider, documents, vectors, failures);
}

async function answerOf(call: EmbedCall, provider: string): Promise<readonly Float32Array[]> {
  const given = await call.run();
  if (given.length === call.end - call.start) return given;
  throw new ModelError(`${provider} gave ${given.length} vectors for ${call.end - call.start} documents`, {
    provider,
    subject: 'embeddings',
  });
}

function partlyEmbedded(
  provider: string,
  documents: readonly Document[],
  vectors: readonly (Float32Array | undefined)[],
  failures: readonly Failure[],
): EmbeddingError {
  const embedded = new Map<string, Float32Array>();
  documents.forEach(({ id }, i) => {
    const vector = vectors[i];
    if (vector !== undefined) embedded.set(id, vector);
  });
  const inOrder = failures.toSorted((a, b) => a.start - b.start);
  const failedIds = inOrder.flatMap(({ start, end }) => documents.slice(start, end).map(({ id }) => id));
  const errors = inOrder.map(({ error }) => error);
  const known = errors.filter((error) => VernalError.is(error));
  const waits = known.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return new EmbeddingError(
    `${provider} did not embed ${failedIds.length} of ${documents.length} documents; try those in 'failedIds' again, the vectors of the others are in 'embedded'`,
    {
      failedIds,
      embedded,
      subject: 'documents',
      details: { failedRequests: failures.length, codes: [...new Set(known.map(({ code }) => code))] },
      retryable: known.length === errors.length && known.every(({ retryable }) => retryable),
      retryAfterMs: waits.length === 0 ? undefined : Math.max(...waits),
      cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
    },
  );
}
