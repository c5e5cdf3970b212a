import type { AnySchemaWithJson, ChatResponse, StructuredOutputConverter } from '@vernal/core';
import { responseText } from '@vernal/core';
import type { ChatClientResponse } from '../advisors/advisor-request.js';
import { entityOf, entityRequest } from './entity-request.js';
import type { RequestState } from './request-state.js';
import { answerOf, callTurn } from './run-turn.js';
import type { CallSpec, EntityOptions, ResponseEntity } from './terminals.js';

export class CallTerminals implements CallSpec {
  readonly #state: RequestState;

  constructor(state: RequestState) {
    this.#state = state;
  }

  async content(): Promise<string> {
    return responseText(answerOf(await callTurn(this.#state)));
  }

  async chatResponse(): Promise<ChatResponse> {
    return answerOf(await callTurn(this.#state));
  }

  chatClientResponse(): Promise<ChatClientResponse> {
    return callTurn(this.#state);
  }

  async entity<T>(wanted: AnySchemaWithJson | StructuredOutputConverter<T>, options?: EntityOptions): Promise<T> {
    return (await this.responseEntity(wanted, options)).entity;
  }

  async responseEntity<T>(
    wanted: AnySchemaWithJson | StructuredOutputConverter<T>,
    options?: EntityOptions,
  ): Promise<ResponseEntity<T>> {
    const { state, converter, extras } = entityRequest<T>(this.#state, wanted, options);
    return entityOf(await callTurn(state, extras), converter);
  }
}
