import {
  type CallContext,
  type ChatModel,
  type ChatModelCapabilities,
  type ChatResponse,
  type Prompt,
  type ResolvedChatOptions,
  responseText,
} from '@vernal/core';
import { queryIn } from './recorded-chat-model.js';

/** Another model, with a count of its calls, the time they took, and what it answered to which query. */
export class MeteredChatModel implements ChatModel {
  readonly provider: string;
  readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  calls = 0;
  milliseconds = 0;
  readonly answers: Map<string, string> = new Map();
  readonly #model: ChatModel;

  constructor(model: ChatModel) {
    this.provider = model.provider;
    this.capabilities = model.capabilities;
    this.defaultOptions = model.defaultOptions;
    this.#model = model;
  }

  async call(prompt: Prompt, context?: CallContext): Promise<ChatResponse> {
    const started = performance.now();
    this.calls++;
    try {
      const response = await this.#model.call(prompt, context);
      this.answers.set(queryIn(prompt.messages), responseText(response));
      return response;
    } finally {
      this.milliseconds += performance.now() - started;
    }
  }

  /** The parts that are measured here do not stream. */
  stream(prompt: Prompt, context?: CallContext): AsyncIterable<ChatResponse> {
    this.calls++;
    return this.#model.stream(prompt, context);
  }
}
