import { throwIfAborted, VernalError } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import type { StepChain } from '../chain/chain-step.js';
import { Deadline } from '../chain/deadline.js';
import { DONE } from '../chain/mapped-iterator.js';
import { responseAsAsked } from '../chain/turn-messages.js';
import type { ChainExtras } from './advisor-plan.js';
import { type RequestState, requestOf } from './request-state.js';

/** A stream that starts when its first item is asked for, and can be read once. */
export class TurnStream<T> implements AsyncIterable<T> {
  readonly #iterator: TurnIterator<T>;
  #taken = false;

  /** What `map` makes undefined is left out. */
  constructor(state: RequestState, map: (chunk: ChatClientResponse) => T | undefined, extras: ChainExtras | undefined) {
    this.#iterator = new TurnIterator(state, map, extras);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
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

class TurnIterator<T> implements AsyncIterableIterator<T> {
  readonly #state: RequestState;
  readonly #map: (chunk: ChatClientResponse) => T | undefined;
  readonly #extras: ChainExtras | undefined;
  #deadline: Deadline | undefined;
  #chunks: AsyncIterator<T> | undefined;
  #starting: Promise<void> | undefined;
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
    if (this.#chunks === undefined) {
      this.#starting ??= this.#start();
      // Most requests have nothing to read first, and have started by now.
      if (this.#chunks === undefined) return this.#starting.then(() => this.next(), this.#onError);
    }
    // Without a deadline there is nothing to tidy up: a chunk crosses no hop here.
    if (this.#deadline === undefined) return this.#chunks.next();
    return this.#chunks.next().then(this.#onStep, this.#onError);
  }

  async return(): Promise<IteratorResult<T>> {
    const chunks = this.#chunks;
    this.#end();
    await chunks?.return?.();
    return DONE;
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    const chunks = this.#chunks;
    this.#end();
    await chunks?.throw?.(error);
    throw error;
  }

  #start(): Promise<void> {
    try {
      const { timeoutMs, plan } = this.#state;
      throwIfAborted(this.#state.signal);
      if (timeoutMs !== undefined) this.#deadline = new Deadline(timeoutMs, this.#state.signal);
      const chain = plan.chain(this.#extras);
      const request = requestOf(this.#state, this.#deadline?.signal ?? this.#state.signal);
      if ('then' in request) return request.then((built) => this.#open(chain, built));
      this.#open(chain, request);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #open(chain: StepChain, request: ChatClientRequest): void {
    if (this.#over) return;
    const { messages } = request.prompt;
    this.#chunks = chain.stream(request, (chunk) => this.#map(responseAsAsked(messages, chunk)));
  }

  readonly #onStep = (step: IteratorResult<T>): IteratorResult<T> => {
    if (step.done === true) this.#end();
    return step;
  };

  readonly #onError = (error: unknown): never => {
    this.#end();
    throw this.#deadline === undefined ? error : this.#deadline.explain(error);
  };

  #end(): void {
    this.#over = true;
    this.#chunks = undefined;
    this.#deadline?.close();
  }
}
