import { singleUseStream } from '../streams/single-use-stream.js';
import type { ChatResponse } from './chat-response.js';
import { ResponseAccumulator } from './response-accumulator.js';

/**
 * The one accumulator. Text and reasoning are deltas and are appended; tool call deltas are joined; generations are kept apart by
 * `index`; calls without an id get one by their place ('call_0'); media are appended, bytes that follow each other under one `id` are
 * pieces of one; metadata merges, later wins; of usage the last defined value of each counter wins.
 * A folded response folds to itself. An error of the source is thrown; nothing is swallowed. Without any chunk the response is empty.
 * Source: `MessageAggregator` of spring-ai-model.
 *
 * @example
 * const response = await fold(model.stream(new Prompt('Hi')));
 */
export async function fold(chunks: AsyncIterable<ChatResponse> | Iterable<ChatResponse>): Promise<ChatResponse> {
  const accumulator = new ResponseAccumulator();
  if (Symbol.asyncIterator in chunks) for await (const chunk of chunks) accumulator.add(chunk);
  // What is there already needs no waiting for each of its chunks.
  else for (const chunk of chunks) accumulator.add(chunk);
  return accumulator.result();
}

/** A fold under way. */
export interface ResponseFold {
  add(chunk: ChatResponse): void;
  /** The fold of what was added so far; more may be added afterwards. */
  result(): ChatResponse;
}

/**
 * `fold` chunk by chunk, for code that looks at chunks on their way: what was added is not kept, so that a long answer does not hold on
 * to all of its chunks.
 *
 * @example
 * const answer = responseFold();
 * for await (const chunk of model.stream(prompt)) {
 *   answer.add(chunk);
 *   show(answer.result().result?.output.text);
 * }
 */
export function responseFold(): ResponseFold {
  return new ResponseAccumulator();
}

/**
 * Passes chunks through untouched; `onDone` gets the folded response once, at the end, and is not called on error or when the loop is
 * left. The end of the stream waits for `onDone`; what it throws is thrown there.
 */
export function foldTap(
  chunks: AsyncIterable<ChatResponse>,
  onDone: (response: ChatResponse) => void | Promise<void>,
): AsyncIterable<ChatResponse> {
  return singleUseStream(() => new FoldTap(chunks[Symbol.asyncIterator](), onDone));
}

/** By hand, because a generator's hop would cost each chunk three promises where this costs one. */
class FoldTap implements AsyncIterator<ChatResponse> {
  readonly #source: AsyncIterator<ChatResponse>;
  readonly #onDone: (response: ChatResponse) => void | Promise<void>;
  readonly #accumulator = new ResponseAccumulator();
  #ended = false;

  constructor(source: AsyncIterator<ChatResponse>, onDone: (response: ChatResponse) => void | Promise<void>) {
    this.#source = source;
    this.#onDone = onDone;
  }

  next(): Promise<IteratorResult<ChatResponse>> {
    return this.#source.next().then(this.#pass, this.#fail);
  }

  async return(): Promise<IteratorResult<ChatResponse>> {
    this.#ended = true;
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  readonly #pass = (
    result: IteratorResult<ChatResponse>,
  ): IteratorResult<ChatResponse> | Promise<IteratorResult<ChatResponse>> => {
    if (result.done) return this.#finish();
    this.#accumulator.add(result.value);
    return result;
  };

  /** A source that failed has no end to tell of, although it seems to reach one when it is asked again. */
  readonly #fail = (error: unknown): never => {
    this.#ended = true;
    throw error;
  };

  async #finish(): Promise<IteratorResult<ChatResponse>> {
    if (!this.#ended) {
      this.#ended = true;
      await this.#onDone(this.#accumulator.result());
    }
    return { done: true, value: undefined };
  }
}
