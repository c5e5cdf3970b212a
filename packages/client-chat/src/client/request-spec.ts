import type { ChatOptions, Message, Observation, TemplateRenderer, ToolSource } from '@vernal/core';
import { CONVERSATION_ID, invalidArgument, overlayChatOptions } from '@vernal/core';
import { type AdvisorChange, additionOf, withParam } from './advisor-change.js';
import { CallTerminals } from './call-terminals.js';
import type { ChatClientBuilder, ChatClientRequestSpec } from './chat-client.js';
import { refuseBlank } from './refuse-blank.js';
import type { RequestState } from './request-state.js';
import { StreamTerminals } from './stream-terminals.js';
import type { CallSpec, StreamSpec } from './terminals.js';
import { changeSystem, changeUser, flatMessages, type SystemChange, type UserChange } from './text-part.js';

export class RequestSpec implements ChatClientRequestSpec {
  readonly #state: RequestState;
  readonly #builderOf: (state: RequestState) => ChatClientBuilder;

  constructor(state: RequestState, builderOf: (state: RequestState) => ChatClientBuilder) {
    this.#state = state;
    this.#builderOf = builderOf;
  }

  system(text: SystemChange): RequestSpec {
    return this.#next({ ...this.#state, system: changeSystem(this.#state.system, text) });
  }

  user(text: UserChange): RequestSpec {
    return this.#next({ ...this.#state, user: changeUser(this.#state.user, text) });
  }

  messages(...messages: readonly (Message | readonly Message[])[]): RequestSpec {
    return this.#next({ ...this.#state, messages: [...this.#state.messages, ...flatMessages(messages)] });
  }

  options(options: ChatOptions): RequestSpec {
    return this.#next({ ...this.#state, options: overlayChatOptions(this.#state.options, options) });
  }

  tools(...sources: readonly ToolSource[]): RequestSpec {
    return this.#next({ ...this.#state, tooling: this.#state.tooling.withOwn(sources) });
  }

  addTools(...sources: readonly ToolSource[]): RequestSpec {
    return this.#next({ ...this.#state, tooling: this.#state.tooling.withAdded(sources) });
  }

  toolNames(...names: readonly string[]): RequestSpec {
    for (const name of names) refuseBlank('toolNames', name);
    return this.#next({ ...this.#state, tooling: this.#state.tooling.withNames(names) });
  }

  toolContext(values: Readonly<Record<string, unknown>>): RequestSpec {
    return this.#next({ ...this.#state, tooling: this.#state.tooling.withContext(values) });
  }

  advisors(...change: AdvisorChange): RequestSpec {
    const { advisors, context } = additionOf(change);
    const { plan } = this.#state;
    return this.#next({
      ...this.#state,
      plan: advisors.length === 0 ? plan : plan.with(advisors),
      context: { ...this.#state.context, ...context },
    });
  }

  templateRenderer(renderer: TemplateRenderer): RequestSpec {
    return this.#next({ ...this.#state, renderer });
  }

  conversation(id: string): RequestSpec {
    refuseBlank('conversation', id);
    return this.#next({ ...this.#state, context: withParam(this.#state.context, CONVERSATION_ID, id) });
  }

  signal(signal: AbortSignal | undefined): RequestSpec {
    return this.#next({ ...this.#state, signal });
  }

  observation(observation: Observation): RequestSpec {
    return this.#next({ ...this.#state, observation });
  }

  timeout(ms: number): RequestSpec {
    // What a timer can hold; a longer one would fire at once.
    if (!(ms > 0 && ms <= 2_147_483_647)) throw invalidArgument('timeout', 'must be a number of milliseconds above 0');
    return this.#next({ ...this.#state, timeoutMs: ms });
  }

  toolCalling(enabled: boolean): RequestSpec {
    return this.#next({ ...this.#state, plan: this.#state.plan.withToolCalling(enabled) });
  }

  call(): CallSpec {
    return new CallTerminals(this.#state);
  }

  stream(): StreamSpec {
    return new StreamTerminals(this.#state);
  }

  mutate(): ChatClientBuilder {
    return this.#builderOf(this.#state);
  }

  #next(state: RequestState): RequestSpec {
    return new RequestSpec(state, this.#builderOf);
  }
}
