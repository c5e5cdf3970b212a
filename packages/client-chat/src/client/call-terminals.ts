import type { AnySchemaWithJson, ChatResponse, StructuredOutputConverter } from '@vernal/core';
import { responseText, untilAborted } from '@vernal/core';
import type { ChatClientResponse } from '../advisors/advisor-request.js';
import { responseAsAsked } from '../chain/turn-messages.js';
import { entityOf, entityRequest } from './entity-request.js';
import type { RequestState } from './request-state.js';
import { answerOf, callTurn } from './run-turn.js';
import type { CallSpec, EntityOptions, ResponseEntity } from './terminals.js';

export class CallTerminals implements CallSpec {
  readonly #state: RequestState;

  constructor(state: RequestState) {
    this.#state = state;
  }

  content(): Promise<string> {
    return callTurn(this.#state, contentOf);
  }

  chatResponse(): Promise<ChatResponse> {
    return callTurn(this.#state, answerOf);
  }

  chatClientResponse(): Promise<ChatClientResponse> {
    return callTurn(this.#state, (response, { prompt }) => responseAsAsked(prompt.messages, response));
  }

  async entity<T>(wanted: AnySchemaWithJson | StructuredOutputConverter<T>, options?: EntityOptions): Promise<T> {
    return (await this.responseEntity(wanted, options)).entity;
  }

  async responseEntity<T>(
    wanted: AnySchemaWithJson | StructuredOutputConverter<T>,
    options?: EntityOptions,
  ): Promise<ResponseEntity<T>> {
    const { state, converter, extras } = entityRequest<T>(this.#state, wanted, options);
    // Validation may wait for something that does not listen to the signal.
    return callTurn(state, (response, { signal }) => untilAborted(entityOf(response, converter), signal), extras);
  }
}

function contentOf(response: ChatClientResponse): string {
  return responseText(answerOf(response));
}
