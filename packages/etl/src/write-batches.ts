import type { Document, DocumentWriter } from '@vernal/core';
import { invalidArgument, throwIfAborted, untilAborted } from '@vernal/core';
import type { WriteOptions, WriteProgress } from './pipeline.js';

/** The run behind `Pipeline.write`. */
export async function writeBatches(
  documents: AsyncIterable<Document>,
  writer: DocumentWriter,
  options: WriteOptions,
  read: () => number,
): Promise<WriteProgress> {
  const { concurrency = 1, batchSize = 100, onProgress, signal } = options;
  requirePositive('concurrency', concurrency);
  requirePositive('batchSize', batchSize);
  if (typeof writer?.write !== 'function')
    throw invalidArgument('writer', 'pass an object with write(documents), such as a vector store');
  throwIfAborted(signal);

  let written = 0;
  const landed = (count: number): void => {
    written += count;
    onProgress?.({ read: read(), written });
  };

  if (writer.takesWholeStream === true) {
    let pending = 0;
    const counted = (async function* () {
      for await (const document of documents) {
        pending++;
        yield document;
      }
    })();
    await untilAborted(writer.write(counted, { signal }), signal);
    if (pending > 0) landed(pending);
    return { read: read(), written };
  }

  const source = documents[Symbol.asyncIterator]();
  const inFlight = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  const start = (batch: readonly Document[]): void => {
    const write = writer
      .write(batch, { signal })
      .then(() => landed(batch.length))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => inFlight.delete(write));
    inFlight.add(write);
  };
  const roomFor = async (writes: number): Promise<void> => {
    while (failure === undefined && inFlight.size > writes) await untilAborted(Promise.race(inFlight), signal);
    if (failure !== undefined) throw failure.error;
  };

  try {
    let batch: Document[] = [];
    for (;;) {
      const next = await untilAborted(source.next(), signal);
      if (failure !== undefined) throw failure.error;
      if (!next.done) batch.push(next.value);
      if (batch.length > 0 && (next.done || batch.length === batchSize)) {
        await roomFor(concurrency - 1);
        start(batch);
        batch = [];
      }
      if (next.done) break;
    }
    await roomFor(0);
    return { read: read(), written };
  } catch (error) {
    await close(source, inFlight, signal);
    throw error;
  }
}

/** A source that is being waited for would close only after its next document: an aborted run does not wait for that. */
async function close(
  source: AsyncIterator<Document>,
  inFlight: ReadonlySet<Promise<void>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const closing = (async () => source.return?.())();
  const closed = Promise.allSettled([closing, ...inFlight]);
  if (!signal?.aborted) await closed;
}

function requirePositive(subject: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) throw invalidArgument(subject, 'must be a whole number, at least 1');
}
