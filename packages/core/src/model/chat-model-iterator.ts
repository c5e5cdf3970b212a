import type { LinkedSignal } from '../context/linked-signal.js';
import type { SafeObservation } from '../observation/safe-observation.js';
import type { ChatResponse } from '../responses/chat-response.js';
import { ResponseAccumulator } from '../responses/response-accumulator.js';
import { observeResponse } from './chat-model-observation.js';

export interface ChatModelIteratorOptions {
  readonly open: () => AsyncIterator<ChatResponse>;
  readonly link: LinkedSignal | undefined;
  /** Ends the request without a word to the reader, who has turned away. */
  readonly cancel: () => void;
  readonly observation: SafeObservation | undefined;
  /** May messages be put into the observation? */
  readonly content: boolean;
}

/** A provider's chunks under a signal and an observation, both let go exactly once: at the end, on error, on abort, or when left. */
export class ChatModelIterator implements AsyncIterator<ChatResponse> {
  readonly #open: () => AsyncIterator<ChatResponse>;
  readonly #link: LinkedSignal | undefined;
  readonly #cancel: () => void;
  readonly #observation: SafeObservation | undefined;
  readonly #content: boolean;
  readonly #seen: ResponseAccumulator | undefined;
  #source: AsyncIterator<ChatResponse> | undefined;
  #reading = false;
  #ended = false;
  #left = false;
  /** The error of an abort that came while nobody waited: the next `next()` throws it. */
  #missedError: Error | undefined;

  constructor({ open, link, cancel, observation, content }: ChatModelIteratorOptions) {
    this.#open = open;
    this.#link = link;
    this.#cancel = cancel;
    this.#observation = observation;
    this.#content = content;
    this.#seen = observation === undefined ? undefined : new ResponseAccumulator();
    link?.onAbort((error) => {
      if (!this.#reading) this.#missedError = error;
      this.#fail(error);
    });
  }

  async next(): Promise<IteratorResult<ChatResponse>> {
    if (this.#missedError !== undefined) {
      const error = this.#missedError;
      this.#missedError = undefined;
      throw error;
    }
    if (this.#ended) return { done: true, value: undefined };
    this.#reading = true;
    try {
      const result = await this.#read();
      if (result.done) this.#end();
      else this.#seen?.add(result.value);
      return result;
    } catch (error) {
      // Left while it was awaited: the end of the request is the end of the stream.
      if (this.#left) return { done: true, value: undefined };
      this.#fail(error);
      throw error;
    } finally {
      this.#reading = false;
    }
  }

  async return(): Promise<IteratorResult<ChatResponse>> {
    if (!this.#ended) {
      this.#left = true;
      // A generator that waits for its next chunk cannot be closed; its request can.
      if (this.#reading) this.#cancel();
      this.#end('cancelled');
      await this.#source?.return?.();
    }
    return { done: true, value: undefined };
  }

  #read(): Promise<IteratorResult<ChatResponse>> {
    const read = (): Promise<IteratorResult<ChatResponse>> => {
      this.#source ??= this.#open();
      return this.#source.next();
    };
    const reading = this.#observation === undefined ? read() : this.#observation.run(read);
    return this.#link === undefined ? reading : this.#link.race(reading);
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#end(this.#link?.aborted ? 'cancelled' : 'error', error);
    // The caller has his error; whether the source closes well is nothing to him.
    this.#source?.return?.().catch(() => undefined);
  }

  #end(ending?: 'cancelled' | 'error', error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#link?.unlink();
    if (this.#observation === undefined || this.#seen === undefined) return;
    observeResponse(this.#observation, this.#seen.result(), this.#content, ending);
    if (error !== undefined) this.#observation.error(error);
    this.#observation.stop();
  }
}
