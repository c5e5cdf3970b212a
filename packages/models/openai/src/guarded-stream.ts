import { abortError, type SafeObservation, throwIfAborted, untilAborted, VernalError } from '@vernal/core';

/** What a stream is made of when its reader begins. */
export interface StreamParts<T> {
  readonly observation: SafeObservation | undefined;
  /** Given a signal that fires with the caller's, and when the reader leaves. */
  readonly open: (signal: AbortSignal) => AsyncIterable<T>;
}

/** Read once, opened by the first read; the signal and the observation are let go exactly once: at the end, on error, on abort, or when left. */
export class GuardedStream<T> implements AsyncIterable<T> {
  readonly #signal: AbortSignal | undefined;
  readonly #begin: () => StreamParts<T>;
  #taken = false;

  /** @param signal - the caller's */
  constructor(signal: AbortSignal | undefined, begin: () => StreamParts<T>) {
    this.#signal = signal;
    this.#begin = begin;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    if (this.#taken) {
      throw new VernalError('This stream was read already; a stream is read once, ask for a new one', {
        code: 'invalid_state',
        subject: 'stream',
      });
    }
    this.#taken = true;
    return new GuardedIterator(this.#signal, this.#begin);
  }
}

const OVER = { done: true, value: undefined } as const;

class GuardedIterator<T> implements AsyncIterator<T> {
  readonly #signal: AbortSignal | undefined;
  readonly #begin: () => StreamParts<T>;
  readonly #own = new AbortController();
  #source: AsyncIterator<T> | undefined;
  #observation: SafeObservation | undefined;
  #reading = false;
  #ended = false;
  #left = false;
  /** Of an abort that came while nobody waited: the next `next()` throws it. */
  #missed: Error | undefined;

  constructor(signal: AbortSignal | undefined, begin: () => StreamParts<T>) {
    this.#signal = signal;
    this.#begin = begin;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.#missed !== undefined) {
      const error = this.#missed;
      this.#missed = undefined;
      throw error;
    }
    if (this.#ended) return OVER;
    const signal = this.#signal;
    this.#reading = true;
    try {
      this.#source ??= this.#open();
      const source = this.#source;
      const read = (): Promise<IteratorResult<T>> => source.next();
      const result = await untilAborted(this.#observation?.run(read) ?? read(), signal);
      if (result.done) this.#end();
      return result;
    } catch (error) {
      // Left while it was awaited: the end of the request is the end of the stream.
      if (this.#left) return OVER;
      this.#end(signal?.aborted ? 'cancelled' : 'error', error);
      throw error;
    } finally {
      this.#reading = false;
    }
  }

  async return(): Promise<IteratorResult<T>> {
    if (this.#ended) return OVER;
    this.#left = true;
    this.#end('cancelled');
    const closing = this.#source?.return?.();
    // Behind the source's own closing, which is enough unless it waits.
    this.#own.abort();
    if (this.#reading) closing?.catch(() => undefined);
    else await closing;
    return OVER;
  }

  #open(): AsyncIterator<T> {
    throwIfAborted(this.#signal);
    const { observation, open } = this.#begin();
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#observation = observation;
    return open(this.#own.signal)[Symbol.asyncIterator]();
  }

  readonly #onAbort = (): void => {
    const signal = this.#signal;
    if (signal === undefined) return;
    this.#own.abort(signal.reason);
    if (this.#reading) return;
    this.#missed = abortError(signal);
    this.#end('cancelled', this.#missed);
    this.#source?.return?.().catch(() => undefined);
  };

  #end(ending?: 'cancelled' | 'error', error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (ending !== undefined) this.#observation?.add({ finishReasons: [ending] });
    if (error !== undefined) this.#observation?.error(error);
    this.#observation?.stop();
  }
}
