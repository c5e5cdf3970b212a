import type { FinishReason, JsonInput, Prompt, Usage } from '@vernal/core';

/** A step spelled out. Every field may be left out; what is left out is not in the answer. */
export interface ScriptAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  /**
   * `arguments` that are a string go out as they are, so that broken JSON and '' can be played; anything else is written as JSON.
   * `id` default `call_1`, `call_2`, … counted over the whole script.
   */
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments: JsonInput }[];
  /** Default 'tool_calls' when there are tool calls, else 'stop'. */
  readonly finishReason?: FinishReason;
  /** Default {}: the model did not say. */
  readonly usage?: Usage;
  /** How a stream cuts text, reasoning and arguments: lengths in characters (the rest is one more piece), or 'char'. Default words. */
  readonly chunks?: readonly number[] | 'char';
  /** Milliseconds before the first chunk and between chunks. Default 0. */
  readonly delayMs?: number;
  /** Thrown, after `afterChunks` chunks (default 0). */
  readonly error?: Error;
  readonly afterChunks?: number;
}

/** One model call's answer: text, an answer spelled out, or a function of the prompt that gives either. */
export type ScriptStep = string | ScriptAnswer | ((prompt: Prompt) => ScriptStep | Promise<ScriptStep>);

/** The answer of a step, functions called until none is left. */
export async function resolveStep(step: ScriptStep, prompt: Prompt): Promise<ScriptAnswer> {
  let current = step;
  while (typeof current === 'function') current = await current(prompt);
  return typeof current === 'string' ? { text: current } : current;
}

/**
 * Arguments of a tool call as the text that a model sends: a string as it is, anything else as JSON.
 *
 * @example
 * argumentsText({ city: 'Delft' }); // '{"city":"Delft"}'
 */
export function argumentsText(value: JsonInput): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The finish reason that the answer names, else 'tool_calls' when it has tool calls, else 'stop'. */
export function finishReasonOf(answer: ScriptAnswer): FinishReason {
  return answer.finishReason ?? ((answer.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop');
}
