import type { ChatModelCapabilities, ChatResponse, ModelRequest, ResolvedChatOptions } from '@vernal/core';
import { BaseChatModel } from '@vernal/core';
import { answerChunks } from './answer-chunks.js';
import { pause } from './pause.js';
import type { ScriptAnswer } from './script-step.js';

export interface ScriptPlayerOptions {
  readonly provider: string;
  readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  /** Takes the step. Called when the call is really made: after capabilities and signal were checked. */
  readonly take: () => { readonly id: string; readonly answer: ScriptAnswer | Promise<ScriptAnswer> };
  readonly nextCallId: () => string;
}

/** One call of a scripted model, with the checks that every model has. */
export class ScriptPlayer extends BaseChatModel {
  readonly provider: string;
  readonly capabilities: ChatModelCapabilities;
  readonly #take: ScriptPlayerOptions['take'];
  readonly #nextCallId: () => string;

  constructor(options: ScriptPlayerOptions) {
    super({ defaultOptions: options.defaultOptions });
    this.provider = options.provider;
    this.capabilities = options.capabilities;
    this.#take = options.take;
    this.#nextCallId = options.nextCallId;
  }

  protected async *doStream({ options, signal }: ModelRequest): AsyncGenerator<ChatResponse> {
    const { id, answer: taken } = this.#take();
    const answer = await taken;
    const { delayMs = 0, error, afterChunks = 0 } = answer;
    let sent = 0;
    for (const chunk of answerChunks(answer, { id, model: options.model, nextCallId: this.#nextCallId })) {
      if (error !== undefined && sent >= afterChunks) break;
      if (delayMs > 0) await pause(delayMs, signal);
      yield chunk;
      sent++;
    }
    if (error !== undefined) throw error;
  }
}
