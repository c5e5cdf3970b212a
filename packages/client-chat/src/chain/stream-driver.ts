import type { ChatResponse, ResponseFold } from '@vernal/core';
import { responseFold, VernalError } from '@vernal/core';
import type { AdvisorContext, ChatClientResponse } from '../advisors/advisor-request.js';
import { AskReading, type Source } from './ask-reading.js';
import { restOf } from './closing-chunk.js';
import { DONE } from './mapped-iterator.js';
import { notesOf, withoutNotes } from './run-notes.js';
import { type Ask, NO_FILTERS, type Outcome, StreamRun } from './stream-run.js';

type Chunk = ChatResponse | ChatClientResponse;

/**
 * The one loop that streams. `advise` waits for whole answers, as in a call; what it asks for is opened by `open`, handed out chunk by
 * chunk, folded, and given to it. Chunks cross this one hop, however many advisors there are. The last chunk brings what did not go
 * out yet, and the turn. Lazy: nothing happens before the first `next`.
 *
 * A consumer that leaves, or throws, ends the source first and then waits for the advisors to tidy up. Written out instead of a
 * generator: a chunk costs one promise here, and leaving does not wait for a chunk that never comes.
 */
export class StreamDriver<T> implements AsyncIterableIterator<T> {
  readonly #advise: (run: StreamRun) => Promise<ChatClientResponse>;
  readonly #open: (ask: Ask) => Source;
  readonly #map: (chunk: ChatClientResponse) => T | undefined;
  readonly #run = new StreamRun();
  /** All that went out. */
  #sent: ResponseFold | undefined;
  readonly #held: ChatResponse[] = [];
  /** What chunks carry: the context as the source has it, without its notes. */
  #context: AdvisorContext = {};
  #noted: AdvisorContext | undefined;
  #asked = 0;
  /** The answer to the last ask. */
  #whole: ChatClientResponse | undefined;
  #ask: Ask | undefined;
  #reading: AskReading | undefined;
  #started = false;
  #over = false;
  #busy = false;
  /** `next` that was called before the one before it was through. */
  readonly #waiting: (() => void)[] = [];

  /** What `map` makes undefined is left out. */
  constructor(
    advise: (run: StreamRun) => Promise<ChatClientResponse>,
    open: (ask: Ask) => Source,
    map: (chunk: ChatClientResponse) => T | undefined,
  ) {
    this.#advise = advise;
    this.#open = open;
    this.#map = map;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#busy) return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.next());
    if (this.#over) return Promise.resolve(DONE);
    this.#busy = true;
    return this.#reading === undefined ? this.#advance() : this.#pull(this.#reading);
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#leave(
      new VernalError('The consumer left the stream before its end', { code: 'aborted', subject: 'stream' }),
    );
    return DONE;
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    await this.#leave(error);
    throw error;
  }

  #pull(reading: AskReading): Promise<IteratorResult<T>> {
    return reading.next().then(this.#onStep, this.#onFailure);
  }

  readonly #onStep = (step: IteratorResult<Chunk>): IteratorResult<T> | Promise<IteratorResult<T>> => {
    const reading = this.#reading;
    if (this.#over) return this.#settle(DONE);
    if (reading === undefined) return this.#advance();
    if (step.done === true) return this.#endReading(reading);
    let out: ChatResponse | undefined;
    try {
      const chunk = reading.accept(step.value);
      out = chunk === undefined ? undefined : this.#run.pass(chunk, this.#ask?.filters ?? NO_FILTERS);
    } catch (error) {
      return this.#failReading(error);
    }
    if (out === undefined) return this.#pull(reading);
    if (reading.context !== this.#noted) this.#note(reading.context);
    try {
      const value = this.#send(out);
      return value === undefined ? this.#pull(reading) : this.#settle({ done: false, value });
    } catch (error) {
      return this.#crash(error);
    }
  };

  readonly #onFailure = (error: unknown): Promise<IteratorResult<T>> => this.#failReading(error);

  /** Between the chunks of two asks. */
  async #advance(): Promise<IteratorResult<T>> {
    try {
      if (!this.#started) {
        this.#started = true;
        this.#run.onOutcome = () => this.#abandon();
        this.#run.start(this.#advise(this.#run));
      }
      for (;;) {
        if (this.#over) return this.#settle(DONE);
        this.#held.push(...this.#run.takeHeld());
        const held = this.#held.shift();
        if (held !== undefined) {
          const value = this.#send(held);
          if (value !== undefined) return this.#settle({ done: false, value });
          continue;
        }
        // Nobody waits any more for what was asked and not answered yet.
        if (this.#run.outcome !== undefined) return await this.#close(this.#run.outcome);
        const ask = this.#run.takeAsk();
        if (ask === undefined) {
          await this.#run.event();
          continue;
        }
        const reading = this.#openReading(ask);
        if (reading !== undefined) return this.#pull(reading);
      }
    } catch (error) {
      return this.#crash(error);
    }
  }

  #openReading(ask: Ask): AskReading | undefined {
    this.#ask = ask;
    this.#asked++;
    try {
      this.#reading = new AskReading(() => this.#open(ask), ask.request);
    } catch (error) {
      ask.reject(error);
    }
    return this.#reading;
  }

  #endReading(reading: AskReading): Promise<IteratorResult<T>> {
    this.#reading = undefined;
    try {
      const whole = reading.whole();
      this.#whole = whole;
      this.#note(whole.context);
      this.#ask?.resolve(whole);
    } catch (error) {
      this.#ask?.reject(error);
    }
    return this.#advance();
  }

  async #failReading(error: unknown): Promise<IteratorResult<T>> {
    await this.#closeReading();
    this.#ask?.reject(error);
    return this.#advance();
  }

  /** The advisors are through although an answer is still being read: one of them did not wait for it. */
  #abandon(): void {
    if (this.#reading === undefined) return;
    this.#run.filtered = true;
    void this.#closeReading();
    this.#ask = undefined;
  }

  async #closeReading(): Promise<void> {
    const reading = this.#reading;
    const ask = this.#ask;
    this.#reading = undefined;
    if (reading === undefined || ask === undefined) return;
    await reading.close();
    const { log } = notesOf(ask.request.context);
    if (log !== undefined) log.partial = reading.text ?? log.partial;
  }

  /** The advisors are through. */
  async #close(outcome: Outcome): Promise<IteratorResult<T>> {
    this.#over = true;
    const { response } = outcome;
    if (response === undefined) throw outcome.error;
    // Folding what went out is only needed where it differs from the one answer that was folded already.
    const exact = this.#asked === 1 && !this.#run.filtered;
    const sent = exact ? this.#whole?.chatResponse : this.#sent?.result();
    const value = this.#map(lastChunk(restOf(sent, response.chatResponse), response));
    return this.#settle(value === undefined ? DONE : { done: false, value });
  }

  #note(context: AdvisorContext): void {
    this.#noted = context;
    this.#context = withoutNotes(context);
  }

  #send(chunk: ChatResponse): T | undefined {
    this.#sent ??= responseFold();
    this.#sent.add(chunk);
    return this.#map({ chatResponse: chunk, context: this.#context, turn: NO_TURN });
  }

  async #crash(error: unknown): Promise<never> {
    await this.#leave(error);
    this.#settle(DONE);
    throw error;
  }

  async #leave(reason: unknown): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#closeReading();
    this.#ask?.reject(reason);
    if (this.#started) await this.#run.leave(reason);
  }

  #settle<R>(result: R): R {
    this.#busy = false;
    this.#waiting.shift()?.();
    return result;
  }
}

const NO_TURN: ChatClientResponse['turn'] = [];

function lastChunk(rest: ChatResponse | undefined, response: ChatClientResponse): ChatClientResponse {
  const { chatResponse: _, ...others } = response;
  const closing = { ...others, context: withoutNotes(response.context) };
  return rest === undefined ? closing : { ...closing, chatResponse: rest };
}
