import type { ChatModel, ChatResponse } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import type { ChunkFilter, Inward } from './advice.js';
import { Deadline } from './deadline.js';

/** One question of an advisor to what is further in, waiting to be streamed. */
export interface Ask {
  readonly request: ChatClientRequest;
  /** Another model than the chain's. */
  readonly model: ChatModel | undefined;
  /** What its chunks go out through; outermost first. */
  readonly filters: readonly ChunkFilter[];
  resolve(response: ChatClientResponse): void;
  reject(error: unknown): void;
}

export type Outcome =
  | { readonly response: ChatClientResponse }
  | { readonly response?: undefined; readonly error: unknown };

/**
 * Where advisors, which wait for whole answers, and the one loop that streams meet: an `ask` is put here, the loop takes it, hands its
 * chunks out through the filters, and resolves it with the folded answer.
 */
export class StreamRun {
  /** Set when the advisors are through. */
  outcome: Outcome | undefined;
  /** Told when the advisors are through. */
  onOutcome: (() => void) | undefined;
  readonly #asks: Ask[] = [];
  #held: ChatResponse[] = [];
  #left: { readonly reason: unknown } | undefined;
  /** Of what advisors wait for beside their asks. */
  readonly #waits = new Set<Deadline>();
  #settled: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  /** True once a filter changed or withheld something: then what went out is not the model's answer. */
  filtered = false;

  start(advised: Promise<ChatClientResponse>): void {
    this.#settled = advised.then(
      (response) => this.#end({ response }),
      (error: unknown) => this.#end({ error }),
    );
  }

  ask(request: ChatClientRequest, filters: readonly ChunkFilter[], model?: ChatModel): Promise<ChatClientResponse> {
    if (this.#left !== undefined) return Promise.reject(this.#left.reason);
    return new Promise((resolve, reject) => {
      this.#asks.push({ request, model, filters, resolve, reject });
      this.#wake?.();
    });
  }

  takeAsk(): Ask | undefined {
    return this.#asks.shift();
  }

  /** What filters let go when their answer was whole. */
  takeHeld(): readonly ChatResponse[] {
    const held = this.#held;
    if (held.length > 0) this.#held = [];
    return held;
  }

  /** Resolves with the next ask, held chunk or outcome. */
  async event(): Promise<void> {
    if (this.#asks.length > 0 || this.#held.length > 0 || this.outcome !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  /** What goes out of a chunk, innermost filter first. */
  pass(chunk: ChatResponse, filters: readonly ChunkFilter[]): ChatResponse | undefined {
    let out: ChatResponse | undefined = chunk;
    for (let i = filters.length - 1; i >= 0 && out !== undefined; i--) out = filters[i]?.pass(out);
    if (out !== chunk) this.filtered = true;
    return out;
  }

  /** Waits until the advisors have tidied up after a consumer that left, or threw, for `reason`. */
  async leave(reason: unknown): Promise<void> {
    this.#left = { reason };
    for (const ask of this.#asks.splice(0)) ask.reject(reason);
    for (const wait of this.#waits) wait.abort(reason);
    await this.#settled;
  }

  /** What an advisor sees whose `ask` goes on with `next`, and whose answers go out through `filters`: an advisor may ask twice at once. */
  inward(
    next: (request: ChatClientRequest, filters: readonly ChunkFilter[]) => Promise<ChatClientResponse>,
    filters: readonly ChunkFilter[] = NO_FILTERS,
  ): Inward {
    return {
      streaming: true,
      ask: (request, filter) =>
        filter === undefined ? next(request, filters) : this.#through(filter, filters, (all) => next(request, all)),
      askModel: (model, request, filter) =>
        filter === undefined
          ? this.ask(request, filters, model)
          : this.#through(filter, filters, (all) => this.ask(request, all, model)),
      wait: (request, work) => this.#wait(request, work),
    };
  }

  async #wait<T>(request: ChatClientRequest, work: (request: ChatClientRequest) => Promise<T>): Promise<T> {
    const wait = new Deadline(undefined, request.signal);
    this.#waits.add(wait);
    if (this.#left !== undefined) wait.abort(this.#left.reason);
    try {
      return await work({ ...request, signal: wait.signal });
    } finally {
      wait.close();
      this.#waits.delete(wait);
    }
  }

  async #through(
    filter: ChunkFilter,
    outer: readonly ChunkFilter[],
    ask: (filters: readonly ChunkFilter[]) => Promise<ChatClientResponse>,
  ): Promise<ChatClientResponse> {
    const response = await ask([...outer, filter]);
    const rest = filter.end?.(response);
    if (rest !== undefined) {
      this.filtered = true;
      const out = this.pass(rest, outer);
      if (out !== undefined) this.#hold(out);
    }
    return response;
  }

  #hold(chunk: ChatResponse): void {
    this.#held.push(chunk);
    this.#wake?.();
  }

  #end(outcome: Outcome): void {
    this.outcome = outcome;
    this.onOutcome?.();
    this.#wake?.();
  }
}

export const NO_FILTERS: readonly ChunkFilter[] = [];
