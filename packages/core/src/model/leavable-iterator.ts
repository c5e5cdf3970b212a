import type { OwnSignal } from '../context/own-signal.js';
import type { ChatResponse } from '../responses/chat-response.js';

/**
 * A provider's chunks for a reader without a signal. A generator that waits for its next chunk cannot be closed; its request can, so
 * leaving does not wait for a chunk that may never come. Whoever still waits then is told that the stream is over.
 */
export class LeavableIterator implements AsyncIterator<ChatResponse> {
  readonly #source: AsyncIterator<ChatResponse>;
  readonly #request: OwnSignal;
  #left = false;

  constructor(source: AsyncIterator<ChatResponse>, request: OwnSignal) {
    this.#source = source;
    this.#request = request;
  }

  next(): Promise<IteratorResult<ChatResponse>> {
    return this.#source.next().then(undefined, this.#onError);
  }

  async return(): Promise<IteratorResult<ChatResponse>> {
    this.#left = true;
    const closing = this.#source.return?.();
    // Behind the source's own closing, which is enough unless it waits.
    this.#request.cancel();
    await closing;
    return { done: true, value: undefined };
  }

  readonly #onError = (error: unknown): IteratorResult<ChatResponse> => {
    if (this.#left) return { done: true, value: undefined };
    throw error;
  };
}
