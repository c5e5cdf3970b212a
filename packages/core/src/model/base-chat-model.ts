import type { CallContext } from '../context/call-context.js';
import { LinkedSignal } from '../context/linked-signal.js';
import { neverAborted } from '../context/never-aborted.js';
import { OwnSignal } from '../context/own-signal.js';
import { UnsupportedCapabilityError } from '../errors/unsupported-capability-error.js';
import type { Logger } from '../logging/logger.js';
import { safeLogger } from '../logging/safe-logger.js';
import type { Message } from '../messages/message.js';
import { noopObservationRegistry, type ObservationRegistry } from '../observation/observation.js';
import type { SafeObservation } from '../observation/safe-observation.js';
import type { ChatOptions, ResolvedChatOptions } from '../options/chat-options.js';
import { mergeChatOptions } from '../options/merge-chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { ChatResponse } from '../responses/chat-response.js';
import { fold } from '../responses/fold.js';
import { retryStream } from '../retry/retry.js';
import type { RetryPolicy } from '../retry/retry-policy.js';
import { singleUseStream } from '../streams/single-use-stream.js';
import { checkDistinctNames } from '../tools/tool-name.js';
import type { ChatModel, ChatModelCapabilities } from './chat-model.js';
import { ChatModelIterator } from './chat-model-iterator.js';
import { observeResponse, startObservation } from './chat-model-observation.js';
import { guardedRequest } from './guarded-request.js';
import { LeavableIterator } from './leavable-iterator.js';
import { unsupportedCapabilities } from './unsupported-capabilities.js';

/** What every chat model built on `BaseChatModel` takes; providers add their own. */
export interface BaseChatModelOptions {
  readonly defaultOptions?: ChatOptions | undefined;
  /** Default `noRetry`: the SDKs of providers repeat requests by themselves. Given, it takes their place. */
  readonly retry?: RetryPolicy | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. */
  readonly logger?: Logger | undefined;
  /** What to do with an option or content that the capabilities do not list. 'warn' logs it and sends it. Default 'error'. */
  readonly onUnsupported?: 'error' | 'warn' | undefined;
}

/** What `BaseChatModel` hands to a provider: merged, checked, without nulls. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly options: ResolvedChatOptions;
  /** This call's own, aborted with the caller's and when a stream is left. One that never fires when nothing can end the call. */
  readonly signal: AbortSignal;
}

/**
 * The part that providers share: merges options over the defaults, checks capabilities, retries the connection, observes,
 * and links the signal. A provider writes `doStream`, and `doCall` when its API has a cheaper whole answer.
 *
 * A call that is aborted rejects at once with `aborted` or, by `AbortSignal.timeout`, with `timeout`; the signal's reason is the cause.
 * What the capabilities do not list is an `UnsupportedCapabilityError`; two tools with one name are `invalid_argument`. A stream does
 * nothing before it is read, is retried until its first chunk, and closes the provider's iterator when it is left.
 * Source: the `ChatModel` base and merging rules of spring-ai-model.
 *
 * @example
 * class EchoModel extends BaseChatModel {
 *   readonly provider = 'echo';
 *   readonly capabilities = TEXT_ONLY;
 *   protected async *doStream({ messages }: ModelRequest): AsyncIterable<ChatResponse> {
 *     for (const word of messages.map(messageText).join(' ').split(' ')) yield chatResponse(`${word} `);
 *   }
 * }
 */
export abstract class BaseChatModel implements ChatModel {
  abstract readonly provider: string;
  abstract readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  readonly #retry: RetryPolicy | undefined;
  readonly #registry: ObservationRegistry;
  readonly #logger: Logger;
  readonly #refuse: boolean;

  constructor(options: BaseChatModelOptions = {}) {
    this.defaultOptions = mergeChatOptions(undefined, options.defaultOptions);
    this.#retry = options.retry?.maxAttempts === 1 ? undefined : options.retry;
    this.#registry = options.observationRegistry ?? noopObservationRegistry;
    this.#logger = safeLogger(options.logger);
    this.#refuse = options.onUnsupported !== 'warn';
  }

  async call(prompt: Prompt, context?: CallContext): Promise<ChatResponse> {
    const options = this.#resolve(prompt);
    const { messages } = prompt;
    if (context?.signal === undefined && !this.#registry.enabled && this.#retry === undefined) {
      return this.doCall({ messages, options, signal: neverAborted() });
    }
    const link = context?.signal && new LinkedSignal(context.signal);
    const observation = this.#observe(messages, options, false, context);
    const request = modelRequest(messages, options, link);
    try {
      const guards = { retry: this.#retry, link, observation, logger: this.#logger };
      const response = await guardedRequest(() => this.doCall(request), guards);
      if (observation !== undefined) observeResponse(observation, response, this.#registry.content);
      return response;
    } catch (error) {
      observation?.error(error);
      throw error;
    } finally {
      link?.unlink();
      observation?.stop();
    }
  }

  stream(prompt: Prompt, context?: CallContext): AsyncIterable<ChatResponse> {
    return singleUseStream(() => this.#openStream(prompt, context));
  }

  /** Chunks as they come. Heed `request.signal`; close the connection in `finally`, which runs when the reader leaves. */
  protected abstract doStream(request: ModelRequest): AsyncIterable<ChatResponse>;

  /** Default: `fold(this.doStream(request))`. */
  protected doCall(request: ModelRequest): Promise<ChatResponse> {
    return fold(this.doStream(request));
  }

  #openStream(prompt: Prompt, context: CallContext | undefined): AsyncIterator<ChatResponse> {
    const options = this.#resolve(prompt);
    const { messages } = prompt;
    const link = context?.signal && new LinkedSignal(context.signal);
    const observation = this.#observe(messages, options, true, context);
    const own = new OwnSignal();
    const request = modelRequest(messages, options, link ?? own);
    const open = (): AsyncIterator<ChatResponse> => this.#connect(request)[Symbol.asyncIterator]();
    if (link === undefined && observation === undefined) return new LeavableIterator(open(), own);
    const cancel = (): void => (link ?? own).cancel();
    return new ChatModelIterator({ open, link, cancel, observation, content: this.#registry.content });
  }

  #connect(request: ModelRequest): AsyncIterable<ChatResponse> {
    if (this.#retry === undefined) return this.doStream(request);
    return retryStream(() => this.doStream(request), this.#retry, { signal: request.signal, logger: this.#logger });
  }

  #resolve(prompt: Prompt): ResolvedChatOptions {
    const options = isEmpty(prompt.options)
      ? this.defaultOptions
      : mergeChatOptions(this.defaultOptions, prompt.options);
    if (options.tools !== undefined) checkDistinctNames(options.tools);
    const missing = unsupportedCapabilities(this.capabilities, prompt.messages, options);
    if (missing.length > 0) this.#complain(missing, options.model ?? this.provider);
    return options;
  }

  #complain(missing: readonly string[], owner: string): void {
    for (const capability of missing) {
      const fault = `${owner} does not support ${capability}`;
      if (this.#refuse) {
        throw new UnsupportedCapabilityError(
          `${fault}: leave it out, use a model that declares it, or set onUnsupported to 'warn'`,
          { capability, owner, subject: capability },
        );
      }
      this.#logger.warn(fault, { capability, owner });
    }
  }

  #observe(
    messages: readonly Message[],
    options: ResolvedChatOptions,
    stream: boolean,
    context: CallContext | undefined,
  ): SafeObservation | undefined {
    if (!this.#registry.enabled) return undefined;
    const { provider } = this;
    return startObservation(this.#registry, { provider, stream, messages, options, parent: context?.observation });
  }
}

function modelRequest(
  messages: readonly Message[],
  options: ResolvedChatOptions,
  ending: { readonly signal: AbortSignal } | undefined,
): ModelRequest {
  if (ending === undefined) return { messages, options, signal: neverAborted() };
  return {
    messages,
    options,
    get signal() {
      return ending.signal;
    },
  };
}

function isEmpty(options: ChatOptions): boolean {
  for (const _ in options) return false;
  return true;
}
