import {
  assistantMessage,
  type CallContext,
  type ChatModel,
  type ChatModelCapabilities,
  type ChatResponse,
  chatResponse,
  type Prompt,
  type ResolvedChatOptions,
  TEXT_ONLY,
} from '@vernal/core';

export interface Answer {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason?: string;
}

/** Four members, as anyone may write a model: answers by position, the last one for all further calls. */
export class HandWrittenModel implements ChatModel {
  readonly provider: string = 'hand';
  readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  readonly prompts: Prompt[] = [];
  readonly contexts: (CallContext | undefined)[] = [];
  /** Streams that were closed before their end. */
  closed = 0;
  calls = 0;
  streams = 0;
  readonly #answers: readonly (string | Answer | Error)[];

  constructor(
    answers: readonly (string | Answer | Error)[],
    capabilities: Partial<ChatModelCapabilities> = {},
    defaultOptions: ResolvedChatOptions = {},
  ) {
    this.#answers = answers;
    this.capabilities = { ...TEXT_ONLY, tools: true, ...capabilities };
    this.defaultOptions = defaultOptions;
  }

  async call(prompt: Prompt, context?: CallContext): Promise<ChatResponse> {
    this.calls++;
    const { text = '', toolCalls = [], finishReason = 'stop' } = this.#next(prompt, context);
    return chatResponse([{ output: assistantMessage({ text, toolCalls }), metadata: { finishReason } }]);
  }

  async *stream(prompt: Prompt, context?: CallContext): AsyncGenerator<ChatResponse> {
    this.streams++;
    const { text = '', toolCalls = [], finishReason = 'stop' } = this.#next(prompt, context);
    let over = false;
    try {
      for (const piece of text.match(/\s*\S+/g) ?? []) yield chatResponse(piece);
      for (const [index, call] of toolCalls.entries()) yield chatResponse([{ toolCallDeltas: [{ index, ...call }] }]);
      yield chatResponse([{ metadata: { finishReason } }]);
      over = true;
    } finally {
      if (!over) this.closed++;
    }
  }

  #next(prompt: Prompt, context: CallContext | undefined): Answer {
    const answer = this.#answers[Math.min(this.prompts.length, this.#answers.length - 1)] ?? '';
    this.prompts.push(prompt);
    this.contexts.push(context);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'string' ? { text: answer } : answer;
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
