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
import type { AdvisorSource, AdvisorSpec, SystemSpec, UserSpec } from './request-specs.js';
import type { RequestState } from './request-state.js';
import type { CallSpec, EntityOptions, StreamSpec } from './terminals.js';

/**
 * One request. Immutable: every method gives a new spec, so one may be kept and used by many calls at once. The system text goes
 * first, then messages, then the user text, whatever the order of the calls.
 */
export interface ChatClientRequestSpec {
  /** A text replaces the client's; a function may change only its params. Blank: `invalid_argument`. */
  system(text: string | Resource | ((spec: SystemSpec) => unknown)): ChatClientRequestSpec;
  user(text: string | Resource | ((spec: UserSpec) => unknown)): ChatClientRequestSpec;
  /** Added to those that are there, never rendered. */
  messages(...messages: readonly (Message | readonly Message[])[]): ChatClientRequestSpec;
  /** Merged over what is there: undefined keeps, null unsets (the model's default too), lists replace. */
  options(options: ChatOptions): ChatClientRequestSpec;
  /**
   * In place of the client's default tools; calls of one request add up, and `tools()` alone means none. Two of one name:
   * `invalid_argument`.
   */
  tools(...sources: readonly ToolSource[]): ChatClientRequestSpec;
  /** Beside the client's default tools. */
  addTools(...sources: readonly ToolSource[]): ChatClientRequestSpec;
  /** Tools that the tool manager's resolver knows, beside the client's names; in their place after `tools()`. */
  toolNames(...names: readonly string[]): ChatClientRequestSpec;
  /** Merged per key over the client's. Never sent to the model. */
  toolContext(values: Readonly<Record<string, unknown>>): ChatClientRequestSpec;
  /** Beside the client's. What cannot stand in one chain is refused when the call runs. */
  advisors(...advisors: readonly AdvisorSource[]): ChatClientRequestSpec;
  advisors(spec: (spec: AdvisorSpec) => unknown): ChatClientRequestSpec;
  /** For this request's system and user texts; never for an advisor's own templates. */
  templateRenderer(renderer: TemplateRenderer): ChatClientRequestSpec;
  /** Short for `advisors(a => a.param(CONVERSATION_ID, id))`. Blank: `invalid_argument`. */
  conversation(id: string): ChatClientRequestSpec;
  /**
   * Aborts the run: `aborted`, or `timeout` for a signal of `AbortSignal.timeout`. No listener stays on it. Undefined, as the context of a
   * caller may give it, is none.
   */
  signal(signal: AbortSignal | undefined): ChatClientRequestSpec;
  /** Parent of this run's observation. */
  observation(parent: Observation): ChatClientRequestSpec;
  /** Milliseconds for the whole turn, tool rounds included; then `timeout`. */
  timeout(ms: number): ChatClientRequestSpec;
  /** Default true: the client's tool advisor joins the chain. False: tool calls come back to you. */
  toolCalling(enabled: boolean): ChatClientRequestSpec;
  call(): CallSpec;
  stream(): StreamSpec;
  /** A client with all that this request says as its defaults; signal, observation and timeout stay behind. */
  mutate(): ChatClientBuilder;
}

/** How an agent presents itself as a tool. */
export interface AsToolOptions<S extends AnySchemaWithJson> {
  readonly name: string;
  readonly description: string;
  /** Default `{ input: string }`, sent as the user text. */
  readonly input?: S | undefined;
  /** Default: the input's JSON as the user text. */
  readonly request?: ((spec: ChatClientRequestSpec, input: InferOutput<S>) => ChatClientRequestSpec) | undefined;
}

/**
 * Asks a model, with defaults, advisors, tools and memory. Immutable; one client serves any number of requests at once.
 * Source: `ChatClient` of spring-ai-client-chat.
 */
export interface ChatClient {
  /** A string is one user text, blank is `invalid_argument`; a Prompt's or list's messages are added, a Prompt's options merged. */
  prompt(prompt?: string | Prompt | readonly Message[]): ChatClientRequestSpec;
  /** A builder that knows what this client knows. The client itself stays as it is. */
  mutate(): ChatClientBuilder;
  /**
   * The same model, observation and logger for a question beside the conversation, such as rewriting a query or judging an answer: without
   * this client's texts, messages, advisors (memory is one), tools, output schema and renderer. Its other options stay, temperature is 0;
   * `options` are laid over both.
   *
   * @example
   * const text = await client.isolated().prompt('Translate to English: …').call().content();
   */
  isolated(options?: ChatOptions): ChatClient;
  /**
   * An agent as a tool: one turn a call, aborted with the caller's turn, under its observation, with its tool context. It cannot wait for a
   * decision: a call that is deferred in it fails, and the caller's model is told so.
   */
  asTool<S extends AnySchemaWithJson = SchemaWithJson<{ input: string }, { input: string }>>(
    options: AsToolOptions<S>,
  ): ToolCallback;
  /**
   * Goes on with a turn that waited, maybe in another process. Signature, age: `approval_invalid`. Tools, options and advisors are this
   * client's; the conversation is the pending one. Takes no user text (`invalid_state`).
   */
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
  /** `client.isolated(options)`, or the same for a model. For parts that take either. Throws `invalid_argument` for anything else. */
  isolated(of: ChatModel | ChatClient, options?: ChatOptions): ChatClient;
} = {
  create: (model, options) => ChatClient.builder(model, options).build(),
  builder: (model, options) => builderOf(initialState(model, options)),
  isolated: (of, options) => (isClient(of) ? of : ChatClient.create(of)).isolated(options),
};

/** By its shape: it may come from another copy of this package. */
function isClient(of: ChatModel | ChatClient): of is ChatClient {
  return typeof of === 'object' && of !== null && 'isolated' in of;
}

function builderOf(state: RequestState): ChatClientBuilder {
  return new ClientBuilder(asClientState(state), build);
}

function build(state: RequestState): ChatClient {
  return new BuiltClient(state, builderOf);
}

/** Makes clients. Changes in place; `build()` copies. Source: `ChatClient.Builder` of spring-ai-client-chat. */
export interface ChatClientBuilder {
  defaultSystem(text: string | Resource | ((spec: SystemSpec) => unknown)): this;
  defaultUser(text: string | Resource | ((spec: UserSpec) => unknown)): this;
  defaultOptions(options: ChatOptions): this;
  /** Added to those that are there. Two of one name: `invalid_argument`. */
  defaultTools(...sources: readonly ToolSource[]): this;
  defaultToolNames(...names: readonly string[]): this;
  defaultToolContext(values: Readonly<Record<string, unknown>>): this;
  defaultAdvisors(...advisors: readonly AdvisorSource[]): this;
  defaultAdvisors(spec: (spec: AdvisorSpec) => unknown): this;
  defaultTemplateRenderer(renderer: TemplateRenderer): this;
  /** `native` and `validate` of every `entity()` that does not say otherwise. */
  defaultEntityOptions(options: EntityOptions): this;
  /** Default true. */
  toolCalling(enabled: boolean): this;
  clone(): ChatClientBuilder;
  /** Throws `invalid_argument` for advisors that cannot stand in one chain. */
  build(): ChatClient;
}

/** Replaces what the client says about itself to the observation registry. */
export interface ChatClientConventions {
  readonly client?: ((request: ChatClientRequest) => Readonly<Record<string, unknown>>) | undefined;
  readonly advisor?:
    | ((advisor: AnyAdvisor, request: ChatClientRequest) => Readonly<Record<string, unknown>>)
    | undefined;
}

/** What a client is made with, beside its model. */
export interface ChatClientOptions {
  /** Default: none. The model observes itself, by its own registry. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  readonly conventions?: ChatClientConventions | undefined;
  /** Joins every chain that has no tool advisor of its own. Default: a new `ToolCallingAdvisor`. */
  readonly toolCallingAdvisor?: ToolCallingAdvisor | undefined;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
  /**
   * Tools, media, schema or options that the model does not declare: 'error' refuses the request (`unsupported_capability`), 'warn'
   * leaves them out and says so to the logger. Default 'error'.
   */
  readonly onUnsupported?: 'error' | 'warn' | undefined;
}
