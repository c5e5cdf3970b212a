import type { Message } from '@vernal/core';
import { VernalError } from '@vernal/core';
import type { ChatClientResponse } from '../advisors/advisor-request.js';
import { throwIfAborted } from '../chain/abort.js';
import { responseAsAsked } from '../chain/turn-messages.js';
import type { ChainExtras } from './advisor-plan.js';
import { Deadline } from './deadline.js';
import { type RequestState, requestOf } from './request-state.js';

/** A stream that starts when its first item is asked for, and can be read once. */
export class TurnStream<T> implements AsyncIterable<T> {
  readonly #iterator: TurnIterator<T>;
  #taken = false;

  /** What `map` makes undefined is left out. */
  constructor(state: RequestState, map: (chunk: ChatClientResponse) => T | undefined, extras: ChainExtras | undefined) {
    this.#iterator = new TurnIterator(state, map, extras);
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    if (this.#taken) throw readTwice();
    this.#taken = true;
    return this.#iterator;
  }
}

export function readTwice(): VernalError {
  return new VernalError('A stream can be read once: call the terminal again for another run', {
    code: 'invalid_state',
    subject: 'stream',
  });
}

/** Written out instead of a generator: a chunk costs one promise here. */
class TurnIterator<T> implements AsyncIterableIterator<T> {
  readonly #state: RequestState;
  readonly #map: (chunk: ChatClientResponse) => T | undefined;
  readonly #extras: ChainExtras | undefined;
  #deadline: Deadline | undefined;
  #chunks: AsyncIterator<ChatClientResponse> | undefined;
  #starting: Promise<void> | undefined;
  #asked: readonly Message[] = [];
  #over = false;

  constructor(state: RequestState, map: (chunk: ChatClientResponse) => T | undefined, extras: ChainExtras | undefined) {
    this.#state = state;
    this.#map = map;
    this.#extras = extras;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#over) return Promise.resolve(DONE);
    if (this.#chunks !== undefined) return this.#chunks.next().then(this.#onStep, this.#onError);
    this.#starting ??= this.#start();
    return this.#starting.then(() => this.next(), this.#onError);
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#leave((chunks) => chunks.return?.());
    return DONE;
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    await this.#leave((chunks) => chunks.throw?.(error) ?? chunks.return?.());
    throw error;
  }

  async #start(): Promise<void> {
    const { timeoutMs, plan } = this.#state;
    throwIfAborted(this.#state.signal);
    if (timeoutMs !== undefined) this.#deadline = new Deadline(timeoutMs, this.#state.signal);
    const chain = plan.chain(this.#extras);
    const request = await requestOf(this.#state, this.#deadline?.signal ?? this.#state.signal);
    this.#asked = request.prompt.messages;
    if (!this.#over) this.#chunks = chain.nextStream(request)[Symbol.asyncIterator]();
  }

  readonly #onStep = (step: IteratorResult<ChatClientResponse>): IteratorResult<T> | Promise<IteratorResult<T>> => {
    if (step.done === true) {
      this.#end();
      return DONE;
    }
    try {
      const value = this.#map(responseAsAsked(this.#asked, step.value));
      return value === undefined ? this.next() : { done: false, value };
    } catch (error) {
      return this.throw(error);
    }
  };

  readonly #onError = (error: unknown): never => {
    this.#end();
    throw this.#deadline === undefined ? error : this.#deadline.explain(error);
  };

  async #leave(tell: (chunks: AsyncIterator<ChatClientResponse>) => Promise<unknown> | undefined): Promise<void> {
    const chunks = this.#chunks;
    this.#end();
    if (chunks === undefined) return;
    try {
      await tell(chunks);
    } catch {
      // A generator that is told of an error throws it again: whoever told it has it.
    }
  }

  #end(): void {
    this.#over = true;
    this.#chunks = undefined;
    this.#deadline?.close();
  }
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };
