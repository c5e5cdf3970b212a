import type { AnyAdvisor, ChatClientResponse } from '@vernal/client-chat';
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

  ask(
    face: Face,
    { conversation, text = 'What is the weather?', tools = [], signal }: AskOptions,
  ): Promise<ChatClientResponse> {
    const spec = this.#client
      .prompt(text)
      .conversation(conversation)
      .tools(...tools);
    const asked = signal === undefined ? spec : spec.signal(signal);
    return face === 'call' ? asked.call().chatClientResponse() : foldClient(asked.stream().chatClientResponse());
  }

  /** Reads one chunk of a stream and leaves. */
  async leave(conversation: string): Promise<void> {
    const stream = this.#client.prompt('What is the weather?').conversation(conversation).stream().chatClientResponse();
    for await (const _ of stream) break;
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
