import type { AnyAdvisor, ChatClientRequestSpec, ChatClientResponse } from '@vernal/client-chat';
import { ChatClient, foldClient } from '@vernal/client-chat';
import type { Message, ToolCallback } from '@vernal/core';
import type { ScriptStep } from '../../doubles/script-step.js';
import { ScriptedChatModel } from '../../doubles/scripted-chat-model.js';
import { checkEqual } from '../kernel/assertions.js';

export type Face = 'call' | 'stream';
export const FACES: readonly Face[] = ['call', 'stream'];

export interface AskOptions {
  readonly conversation: string;
  readonly text?: string;
  readonly tools?: readonly ToolCallback[];
  readonly signal?: AbortSignal;
}

/** A client with the advisor over a scripted model, asked the same way by call and by stream. */
export class AdvisedClient {
  readonly model: ScriptedChatModel;
  readonly #client: ChatClient;

  constructor(advisor: AnyAdvisor, steps: readonly ScriptStep[]) {
    this.model = new ScriptedChatModel(steps);
    this.#client = ChatClient.builder(this.model).defaultAdvisors(advisor).build();
  }

  ask(face: Face, options: AskOptions): Promise<ChatClientResponse> {
    const asked = this.#spec(options);
    return face === 'call' ? asked.call().chatClientResponse() : foldClient(asked.stream().chatClientResponse());
  }

  /** Reads one chunk of a stream and leaves. */
  async leave(conversation: string): Promise<void> {
    await this.cut({ conversation }, 0, () => true);
  }

  /** Reads a stream; after so many chunks `onCut` says whether to leave. True when the stream had no more chunks than that. */
  async cut(options: AskOptions, after: number, onCut: () => boolean): Promise<boolean> {
    let chunks = 0;
    for await (const _ of this.#spec(options).stream().chatClientResponse()) {
      if (chunks++ === after && onCut()) return false;
    }
    return chunks <= after;
  }

  #spec({ conversation, text = 'What is the weather?', tools = [], signal }: AskOptions): ChatClientRequestSpec {
    const spec = this.#client
      .prompt(text)
      .conversation(conversation)
      .tools(...tools);
    return signal === undefined ? spec : spec.signal(signal);
  }
}

export function textOf(response: ChatClientResponse): string {
  return response.chatResponse?.result?.output.text ?? '';
}

/** Every call has its answer after it, and no answer is there without its call. */
export function checkPairs(messages: readonly Message[], what: string): void {
  const calls = messages.flatMap((message) =>
    message.type === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
  );
  const answers = messages.flatMap((message) =>
    message.type === 'tool' ? message.responses.map((one) => one.id) : [],
  );
  checkEqual(answers, calls, `tool calls and their answers in ${what}`);
}
