import type { ChatResponse, ResponseFold } from '@vernal/core';
import { responseFold, throwIfAborted } from '@vernal/core';
import type { AdvisorContext, ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import { AbortRace } from './abort-race.js';
import { answered } from './ask-model.js';

/** Where the chunks of an ask come from: a model, or advisors that stream by themselves. */
export type Source =
  | { readonly of: 'model'; readonly chunks: AsyncIterable<ChatResponse> }
  | { readonly of: 'chain'; readonly chunks: AsyncIterable<ChatClientResponse> };

type Chunk = ChatResponse | ChatClientResponse;

/** Reads one source to its end, or closes it. */
export class AskReading {
  readonly #request: ChatClientRequest;
  readonly #iterator: AsyncIterator<Chunk>;
  readonly #race: AbortRace | undefined;
  readonly #answer: ResponseFold = responseFold();
  #answered = false;
  /** Set when the chunks come from advisors, who bring more than the model's answer. */
  readonly #client: { last: ChatClientResponse | undefined; context: AdvisorContext } | undefined;
  #pulling = false;
  #over = false;

  constructor(open: () => Source, request: ChatClientRequest) {
    throwIfAborted(request.signal);
    const source = open();
    this.#request = request;
    this.#iterator = source.chunks[Symbol.asyncIterator]();
    this.#client = source.of === 'chain' ? { last: undefined, context: request.context } : undefined;
    this.#race = request.signal === undefined ? undefined : new AbortRace(request.signal);
  }

  /** The context that chunks carry now. */
  get context(): AdvisorContext {
    return this.#client?.context ?? this.#request.context;
  }

  /** What the first answer of a model says so far. Undefined when advisors read the model: whoever reads it for them knows. */
  get text(): string | undefined {
    if (this.#client !== undefined) return undefined;
    return this.#answer.result().results.find(({ index }) => index === 0)?.output.text ?? '';
  }

  next(): Promise<IteratorResult<Chunk>> {
    this.#pulling = true;
    const step = this.#iterator.next();
    return this.#race === undefined ? step : this.#race.run(step);
  }

  /** Adds a chunk to the answer, and gives what of it is the answer's. */
  accept(chunk: Chunk): ChatResponse | undefined {
    this.#pulling = false;
    const response = 'results' in chunk ? chunk : this.#acceptClient(chunk);
    if (response !== undefined) {
      this.#answered = true;
      this.#answer.add(response);
    }
    return response;
  }

  /** The whole answer, once the source is through. */
  whole(): ChatClientResponse {
    this.#end();
    const client = this.#client;
    if (client === undefined) return answered(this.#request, this.#answer.result());
    return {
      ...(this.#answered && { chatResponse: this.#answer.result() }),
      context: client.context,
      turn: client.last?.turn ?? [],
      ...(client.last?.pendingApproval !== undefined && { pendingApproval: client.last.pendingApproval }),
    };
  }

  /** Closes the source, the provider's connection with it. Never throws: whoever closes early has a reason of his own to report. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.#end();
    const closed = returnOf(this.#iterator);
    // A source that is still at work has lost against the signal, or has thrown: nothing to wait for.
    if (!this.#pulling) await closed;
  }

  #acceptClient(chunk: ChatClientResponse): ChatResponse | undefined {
    const client = this.#client;
    if (client !== undefined) {
      client.last = chunk;
      if (chunk.context !== client.context) client.context = { ...client.context, ...chunk.context };
    }
    return chunk.chatResponse;
  }

  #end(): void {
    this.#over = true;
    this.#race?.close();
  }
}

async function returnOf(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Said in `close`.
  }
}
