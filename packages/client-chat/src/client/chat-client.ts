import type {
  AnySchemaWithJson,
  ApprovalDecisions,
  ChatModel,
  ChatOptions,
  InferOutput,
  Logger,
  Message,
  Observation,
  ObservationRegistry,
  PendingApproval,
  Prompt,
  Resource,
  SchemaWithJson,
  TemplateRenderer,
  ToolCallback,
  ToolSource,
} from '@vernal/core';
import type { AnyAdvisor } from '../advisors/advisor.js';
import type { ChatClientRequest } from '../advisors/advisor-request.js';
import type { ToolCallingAdvisor } from '../advisors/tool-calling-advisor.js';
import { BuiltClient } from './built-client.js';
import { asClientState, ClientBuilder } from './client-builder.js';
import { initialState } from './initial-state.js';
import type { AdvisorSpec, SystemSpec, UserSpec } from './request-specs.js';
import type { RequestState } from './request-state.js';
import type { CallSpec, EntityOptions, StreamSpec } from './terminals.js';

/** Immutable: every method gives a new spec, so one may be kept and used by many calls at once. */
export interface ChatClientRequestSpec {
  system(text: string | Resource | ((spec: SystemSpec) => unknown)): ChatClientRequestSpec;
  user(text: string | Resource | ((spec: UserSpec) => unknown)): ChatClientRequestSpec;
  messages(...messages: readonly (Message | readonly Message[])[]): ChatClientRequestSpec;
  /** Merged over what is there. */
  options(options: ChatOptions): ChatClientRequestSpec;
  /** In place of the client's default tools; calls of one request add up, and `tools()` alone means none. Two of one name: `invalid_argument`. */
  tools(...sources: readonly ToolSource[]): ChatClientRequestSpec;
  /** Beside the client's default tools. */
  addTools(...sources: readonly ToolSource[]): ChatClientRequestSpec;
  toolNames(...names: readonly string[]): ChatClientRequestSpec;
  /** Merged per key. */
  toolContext(values: Readonly<Record<string, unknown>>): ChatClientRequestSpec;
  advisors(...advisors: readonly AnyAdvisor[]): ChatClientRequestSpec;
  advisors(spec: (spec: AdvisorSpec) => unknown): ChatClientRequestSpec;
  /** For this request's system and user texts; never for an advisor's own templates. */
  templateRenderer(renderer: TemplateRenderer): ChatClientRequestSpec;
  /** Short for `advisors(a => a.param(CONVERSATION_ID, id))`. Blank: `invalid_argument`. */
  conversation(id: string): ChatClientRequestSpec;
  signal(signal: AbortSignal): ChatClientRequestSpec;
  /** Parent of this run's observation. */
  observation(parent: Observation): ChatClientRequestSpec;
  /** Milliseconds for the whole turn; then `timeout`. */
  timeout(ms: number): ChatClientRequestSpec;
  /** Default true: the client's tool advisor joins the chain. False: tool calls come back to you. */
  toolCalling(enabled: boolean): ChatClientRequestSpec;
  call(): CallSpec;
  stream(): StreamSpec;
  mutate(): ChatClientBuilder;
}

export interface AsToolOptions<S extends AnySchemaWithJson> {
  readonly name: string;
  readonly description: string;
  /** Default `{ input: string }`, sent as the user text. */
  readonly input?: S | undefined;
  /** Default: the input's JSON as the user text. */
  readonly request?: ((spec: ChatClientRequestSpec, input: InferOutput<S>) => ChatClientRequestSpec) | undefined;
}

export interface ChatClient {
  /** A string is one user text, blank is `invalid_argument`; a Prompt's or list's messages are added, a Prompt's options merged. */
  prompt(prompt?: string | Prompt | readonly Message[]): ChatClientRequestSpec;
  mutate(): ChatClientBuilder;
  /** An agent as a tool: one turn a call, aborted with the caller's turn. */
  asTool<S extends AnySchemaWithJson = SchemaWithJson<{ input: string }, { input: string }>>(
    options: AsToolOptions<S>,
  ): ToolCallback;
  /** Goes on with a turn that waited, maybe in another process. Signature, age: `approval_invalid`. */
  resume(pending: PendingApproval, decisions: ApprovalDecisions): ChatClientRequestSpec;
}

/**
 * Makes clients. Source: `ChatClient` of spring-ai-client-chat.
 *
 * @example
 * const client = ChatClient.builder(model).defaultSystem('You are terse.').build();
 * const text = await client.prompt('Tell me a joke').call().content();
 */
export const ChatClient: {
  /** A client without defaults. */
  create(model: ChatModel, options?: ChatClientOptions): ChatClient;
  /** Throws `invalid_argument` without a model. */
  builder(model: ChatModel, options?: ChatClientOptions): ChatClientBuilder;
} = {
  create: (model, options) => ChatClient.builder(model, options).build(),
  builder: (model, options) => builderOf(initialState(model, options)),
};

function builderOf(state: RequestState): ChatClientBuilder {
  return new ClientBuilder(asClientState(state), build);
}

function build(state: RequestState): ChatClient {
  return new BuiltClient(state, builderOf);
}

/** Changes in place; `build()` copies. */
export interface ChatClientBuilder {
  defaultSystem(text: string | Resource | ((spec: SystemSpec) => unknown)): this;
  defaultUser(text: string | Resource | ((spec: UserSpec) => unknown)): this;
  defaultOptions(options: ChatOptions): this;
  defaultTools(...sources: readonly ToolSource[]): this;
  defaultToolNames(...names: readonly string[]): this;
  defaultToolContext(values: Readonly<Record<string, unknown>>): this;
  defaultAdvisors(...advisors: readonly AnyAdvisor[]): this;
  defaultAdvisors(spec: (spec: AdvisorSpec) => unknown): this;
  defaultTemplateRenderer(renderer: TemplateRenderer): this;
  /** `native` and `validate` of every `entity()` that does not say otherwise. */
  defaultEntityOptions(options: EntityOptions): this;
  /** Default true. */
  toolCalling(enabled: boolean): this;
  clone(): ChatClientBuilder;
  build(): ChatClient;
}

/** Replaces what the client says about itself to the observation registry. */
export interface ChatClientConventions {
  readonly client?: ((request: ChatClientRequest) => Readonly<Record<string, unknown>>) | undefined;
  readonly advisor?:
    | ((advisor: AnyAdvisor, request: ChatClientRequest) => Readonly<Record<string, unknown>>)
    | undefined;
}

export interface ChatClientOptions {
  readonly observationRegistry?: ObservationRegistry | undefined;
  readonly conventions?: ChatClientConventions | undefined;
  readonly toolCallingAdvisor?: ToolCallingAdvisor | undefined;
  readonly logger?: Logger | undefined;
  /** Tools, media, schema or options that the model does not declare. Default 'error'. */
  readonly onUnsupported?: 'error' | 'warn' | undefined;
}
