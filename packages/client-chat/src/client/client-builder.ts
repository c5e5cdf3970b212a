import type { ChatOptions, TemplateRenderer, ToolSource } from '@vernal/core';
import { overlayChatOptions } from '@vernal/core';
import { type AdvisorChange, additionOf } from './advisor-change.js';
import type { ChatClient, ChatClientBuilder } from './chat-client.js';
import { refuseBlank } from './refuse-blank.js';
import type { RequestState } from './request-state.js';
import type { EntityOptions } from './terminals.js';
import { changeSystem, changeUser, type SystemChange, type UserChange } from './text-part.js';

export class ClientBuilder implements ChatClientBuilder {
  /** Replaced, never changed: what was built from it stays as it is. */
  #state: RequestState;
  readonly #build: (state: RequestState) => ChatClient;

  constructor(state: RequestState, build: (state: RequestState) => ChatClient) {
    this.#state = state;
    this.#build = build;
  }

  defaultSystem(text: SystemChange): this {
    return this.#change({ system: changeSystem(this.#state.system, text) });
  }

  defaultUser(text: UserChange): this {
    return this.#change({ user: changeUser(this.#state.user, text) });
  }

  defaultOptions(options: ChatOptions): this {
    return this.#change({ options: overlayChatOptions(this.#state.options, options) });
  }

  defaultTools(...sources: readonly ToolSource[]): this {
    return this.#change({ tooling: this.#state.tooling.withDefaults(sources) });
  }

  defaultToolNames(...names: readonly string[]): this {
    for (const name of names) refuseBlank('defaultToolNames', name);
    return this.#change({ tooling: this.#state.tooling.withDefaultNames(names) });
  }

  defaultToolContext(values: Readonly<Record<string, unknown>>): this {
    return this.#change({ tooling: this.#state.tooling.withContext(values) });
  }

  defaultAdvisors(...change: AdvisorChange): this {
    const { advisors, context } = additionOf(change);
    return this.#change({
      plan: this.#state.plan.with(advisors),
      context: { ...this.#state.context, ...context },
    });
  }

  defaultTemplateRenderer(renderer: TemplateRenderer): this {
    return this.#change({ renderer });
  }

  defaultEntityOptions(options: EntityOptions): this {
    return this.#change({ entityOptions: { ...this.#state.entityOptions, ...options } });
  }

  toolCalling(enabled: boolean): this {
    return this.#change({ plan: this.#state.plan.withToolCalling(enabled) });
  }

  clone(): ChatClientBuilder {
    return new ClientBuilder(this.#state, this.#build);
  }

  build(): ChatClient {
    // Compiled now, so that advisors that do not fit together are refused here.
    this.#state.plan.chain();
    return this.#build(this.#state);
  }

  #change(change: Partial<RequestState>): this {
    this.#state = { ...this.#state, ...change };
    return this;
  }
}

/** Everything a request says as the defaults of a client; what belongs to one run alone stays behind. */
export function asClientState(state: RequestState): RequestState {
  return {
    ...state,
    tooling: state.tooling.asDefaults(),
    signal: undefined,
    observation: undefined,
    timeoutMs: undefined,
    resumption: undefined,
  };
}
