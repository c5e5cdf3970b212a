import type {
  CallContext,
  ChatModel,
  ChatModelCapabilities,
  ChatResponse,
  FinishReason,
  JsonInput,
  Prompt,
  ResolvedChatOptions,
  Usage,
} from '@vernal/core';

/** One model call's answer. */
export type ScriptStep =
  | string
  | {
      readonly text?: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments: JsonInput }[];
      readonly finishReason?: FinishReason;
      readonly usage?: Usage;
      /** How a stream cuts it: lengths in characters, or 'char'. Default words. */
      readonly chunks?: readonly number[] | 'char';
      /** Milliseconds before the first chunk and between chunks. */
      readonly delayMs?: number;
      /** Thrown, after `afterChunks` chunks (default 0). */
      readonly error?: Error;
      readonly afterChunks?: number;
    }
  | ((prompt: Prompt) => ScriptStep | Promise<ScriptStep>);

/** Plays a script. A call beyond it, or a step that was never asked for, is an error. */
export declare class ScriptedChatModel implements ChatModel {
  constructor(
    steps: readonly ScriptStep[],
    options?: {
      readonly capabilities?: Partial<ChatModelCapabilities> | undefined;
      readonly defaultOptions?: ResolvedChatOptions | undefined;
    },
  );
  readonly provider: string;
  readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  /** Prompts in the order they came. */
  readonly prompts: readonly Prompt[];
  call(prompt: Prompt, context?: CallContext): Promise<ChatResponse>;
  stream(prompt: Prompt, context?: CallContext): AsyncIterable<ChatResponse>;
  /** Throws unless every step was used. */
  assertComplete(): void;
}
