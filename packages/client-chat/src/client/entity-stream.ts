import type { DeepPartial } from '@vernal/core';
import { PartialJsonReader, untilAborted, VernalError } from '@vernal/core';
import { type ChatClientResponse, foldClient } from '../advisors/advisor-request.js';
import type { Advice } from '../chain/advice.js';
import { Deadline } from '../chain/deadline.js';
import { type EntityRequest, entityOf } from './entity-request.js';
import { grows, same } from './grows.js';
import type { RequestState } from './request-state.js';
import { firstAnswer, refusePending, streamTurn } from './run-turn.js';
import type { EntityStream } from './terminals.js';
import { readTwice, type TurnStream } from './turn-stream.js';

/** Reads what has arrived of a value, and the value itself once it is whole. */
export class PartialEntities<T> implements EntityStream<T> {
  readonly #request: EntityRequest<T>;
  readonly #chunks: ChatClientResponse[] = [];
  #started = false;
  #result: Promise<T> | undefined;
  #settle: { resolve(whole: Promise<T>): void; reject(error: unknown): void } | undefined;
  #source: AsyncIterableIterator<ChatClientResponse> | undefined;
  #left = false;
  #reader = new PartialJsonReader();
  /** The reader whose snapshots are known to go on from what was shown. */
  #trusted: PartialJsonReader | undefined;

  constructor(request: EntityRequest<T>) {
    this.#request = request;
  }

  [Symbol.asyncIterator](): AsyncIterator<DeepPartial<T>> {
    if (this.#started) throw readTwice();
    this.#started = true;
    const snapshots = this.#snapshots();
    return {
      next: () => snapshots.next(),
      return: async () => {
        this.#left = true;
        // Left before it began, the loop itself has nothing to say.
        this.#outcome();
        this.#settle?.reject(left());
        // A generator that waits for its next chunk cannot be closed; what it reads can.
        const [end] = await Promise.all([snapshots.return(), this.#source?.return?.()]);
        return end;
      },
      throw: (error) => snapshots.throw(error),
    };
  }

  result(): Promise<T> {
    const result = this.#outcome();
    if (!this.#started) void this.#drive();
    return result;
  }

  async #drive(): Promise<void> {
    try {
      for await (const _ of this) {
        // Nobody looks at the snapshots.
      }
    } catch {
      // `result()` has it.
    }
  }

  async *#snapshots(): AsyncGenerator<DeepPartial<T>, void, undefined> {
    let shown: unknown;
    let end: 'left' | 'whole' | { readonly error: unknown } = 'left';
    // The deadline is for reading the value, too.
    const { state } = this.#request;
    const deadline = state.timeoutMs === undefined ? undefined : new Deadline(state.timeoutMs, state.signal);
    const within = deadline === undefined ? state : { ...state, timeoutMs: undefined, signal: deadline.signal };
    const explain = (error: unknown): unknown => (deadline === undefined ? error : deadline.explain(error));
    this.#outcome();
    try {
      this.#source = this.#stream(within)[Symbol.asyncIterator]();
      for await (const chunk of this.#source) {
        const text = firstAnswer(chunk.chatResponse)?.output.text ?? '';
        if (text === '') continue;
        const reader = this.#reader;
        reader.push(text);
        const { unwrap } = this.#request;
        const snapshot = unwrap === undefined ? reader.value : unwrap(reader.value);
        if (snapshot === shown || snapshot === undefined) continue;
        if (this.#trusted !== reader || reader.repeatsKeys) {
          if (!grows(shown, snapshot) || same(shown, snapshot)) continue;
          this.#trusted = reader;
        }
        shown = snapshot;
        // Whatever the schema says, a snapshot is what the model has written so far.
        yield snapshot as DeepPartial<T>;
      }
      if (this.#left) return;
      end = 'whole';
      const whole = this.#whole(within).catch((error: unknown) => {
        throw explain(error);
      });
      this.#settle?.resolve(whole);
      // Defaults, mended JSON, a number that may have gone on: more than was shown. That it is no value is for `result()` to say.
      const value: unknown = await whole.catch(() => shown);
      if (grows(shown, value) && !same(shown, value)) yield value as DeepPartial<T>;
    } catch (error) {
      end = { error: explain(error) };
      throw end.error;
    } finally {
      deadline?.close();
      if (end !== 'whole') this.#settle?.reject(end === 'left' ? left() : end.error);
    }
  }

  #stream(state: RequestState): TurnStream<ChatClientResponse> {
    const { extras } = this.#request;
    // A model that is asked again, after tools ran, begins its value anew.
    const beginAnew: Advice = (request, inward) => {
      this.#reader = new PartialJsonReader();
      return inward.ask(request);
    };
    return streamTurn(
      state,
      (chunk) => {
        refusePending(chunk);
        this.#chunks.push(chunk);
        return chunk;
      },
      { ...extras, innermost: beginAnew },
    );
  }

  #whole(state: RequestState): Promise<T> {
    const { converter } = this.#request;
    const read = foldClient(arrived(this.#chunks)).then((response) => entityOf(response, converter));
    return untilAborted(read, state.signal).then(({ entity }) => entity);
  }

  /** Settled by the loop; a rejection that nobody asks for is none. */
  #outcome(): Promise<T> {
    if (this.#result === undefined) {
      this.#result = new Promise<T>((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
      this.#result.catch(() => {});
    }
    return this.#result;
  }
}

async function* arrived<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

function left(): VernalError {
  return new VernalError('The loop was left before the value was whole: read it to its end, or ask result() alone', {
    code: 'aborted',
    subject: 'stream',
  });
}
