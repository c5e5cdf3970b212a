import type {
  AnySchemaWithJson,
  ApprovalDecisions,
  ChatOptions,
  Message,
  PendingApproval,
  Prompt,
  SchemaWithJson,
  ToolCallback,
} from '@vernal/core';
import { agentTool } from './agent-tool.js';
import type { AsToolOptions, ChatClient, ChatClientBuilder, ChatClientRequestSpec } from './chat-client.js';
import { isolatedState } from './isolated-state.js';
import { RequestSpec } from './request-spec.js';
import type { RequestState } from './request-state.js';
import { resumedState } from './resumed-state.js';

export class BuiltClient implements ChatClient {
  readonly #state: RequestState;
  /** Immutable, so every request may begin with the same one. */
  readonly #request: RequestSpec;
  readonly #builderOf: (state: RequestState) => ChatClientBuilder;

  constructor(state: RequestState, builderOf: (state: RequestState) => ChatClientBuilder) {
    this.#state = state;
    this.#request = new RequestSpec(state, builderOf);
    this.#builderOf = builderOf;
  }

  prompt(prompt?: string | Prompt | readonly Message[]): ChatClientRequestSpec {
    if (prompt === undefined) return this.#request;
    if (typeof prompt === 'string') return this.#request.user(prompt);
    if (isList(prompt)) return this.#request.messages(prompt);
    return this.#request.messages(prompt.messages).options(prompt.options);
  }

  mutate(): ChatClientBuilder {
    return this.#builderOf(this.#state);
  }

  isolated(options?: ChatOptions): ChatClient {
    return this.#builderOf(isolatedState(this.#state, options)).build();
  }

  asTool<S extends AnySchemaWithJson = SchemaWithJson<{ input: string }, { input: string }>>(
    options: AsToolOptions<S>,
  ): ToolCallback {
    return agentTool(this, options);
  }

  resume(pending: PendingApproval, decisions: ApprovalDecisions): ChatClientRequestSpec {
    return new RequestSpec(resumedState(this.#state, pending, decisions), this.#builderOf);
  }
}

function isList(prompt: Prompt | readonly Message[]): prompt is readonly Message[] {
  return Array.isArray(prompt);
}
