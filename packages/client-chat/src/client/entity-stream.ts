import type { DeepPartial } from '@vernal/core';
import { PartialJsonReader, VernalError } from '@vernal/core';
import { type ChatClientResponse, foldClient } from '../advisors/advisor-request.js';
import type { Advice } from '../chain/advice.js';
import { type EntityRequest, entityOf } from './entity-request.js';
import { grows, same } from './grows.js';
import { firstAnswer, refusePending, streamTurn } from './run-turn.js';
import type { EntityStream } from './terminals.js';
import { readTwice } from './turn-stream.js';

/** Reads what has arrived of a value, and the value itself once it is whole. */
export class PartialEntities<T> implements EntityStream<T> {
  readonly #request: EntityRequest<T>;
  readonly #chunks: ChatClientResponse[] = [];
  #started = false;
  #result: Promise<T> | undefined;
  #settle: { resolve(whole: Promise<T>): void; reject(error: unknown): void } | undefined;
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
        const end = await snapshots.return();
        // Left before it began, the loop itself has nothing to say.
        this.#outcome();
        this.#settle?.reject(left());
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
    this.#outcome();
    try {
      for await (const chunk of this.#stream()) {
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
      end = 'whole';
    } catch (error) {
      end = { error };
      throw error;
    } finally {
      if (end === 'whole') this.#settle?.resolve(this.#whole());
      else this.#settle?.reject(end === 'left' ? left() : end.error);
    }
  }

  #stream(): AsyncIterable<ChatClientResponse> {
    const { state, extras } = this.#request;
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

  async #whole(): Promise<T> {
    return (await entityOf(await foldClient(arrived(this.#chunks)), this.#request.converter)).entity;
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
