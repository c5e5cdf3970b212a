import type { AnySchemaWithJson, ChatResponse, InferOutput } from '@vernal/core';
import type { ChatClientResponse } from '../advisors/advisor-request.js';
import { entityRequest } from './entity-request.js';
import { PartialEntities } from './entity-stream.js';
import type { RequestState } from './request-state.js';
import { firstAnswer, refusePending, streamTurn } from './run-turn.js';
import type { EntityOptions, EntityStream, StreamSpec } from './terminals.js';

export class StreamTerminals implements StreamSpec {
  readonly #state: RequestState;

  constructor(state: RequestState) {
    this.#state = state;
  }

  content(): AsyncIterable<string> {
    return streamTurn(this.#state, textOf);
  }

  chatResponse(): AsyncIterable<ChatResponse> {
    return streamTurn(this.#state, responseOf);
  }

  chatClientResponse(): AsyncIterable<ChatClientResponse> {
    return streamTurn(this.#state, whole);
  }

  entity<S extends AnySchemaWithJson>(schema: S, options?: EntityOptions): EntityStream<InferOutput<S>> {
    return new PartialEntities(entityRequest<InferOutput<S>>(this.#state, schema, options));
  }
}

/** Of the first answer; '' is left out. */
function textOf(chunk: ChatClientResponse): string | undefined {
  refusePending(chunk);
  return firstAnswer(chunk.chatResponse)?.output.text || undefined;
}

function responseOf(chunk: ChatClientResponse): ChatResponse | undefined {
  refusePending(chunk);
  return chunk.chatResponse;
}

function whole(chunk: ChatClientResponse): ChatClientResponse {
  return chunk;
}
