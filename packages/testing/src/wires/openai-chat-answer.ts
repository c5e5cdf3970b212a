import type { FinishReason, Usage } from '@vernal/core';
import { cutText } from '../doubles/cut-text.js';
import type { ScriptAnswer } from '../doubles/script-step.js';
import { argumentsText, finishReasonOf } from '../doubles/script-step.js';

const FINISH: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
};
/** 2025-03-10, any moment will do: the documentation's own example. */
export const CREATED = 1741569952;
export const OPENAI_MODEL = 'gpt-5-mini-2025-08-07';

/** `finish_reason` for a portable reason; undefined when OpenAI has no such word. */
export function openAiFinishReason(reason: FinishReason): string | undefined {
  return FINISH[reason];
}

/** The `usage` object, with the detail objects that current models send. Source: https://platform.openai.com/docs/api-reference/chat/object */
export function openAiUsage(usage: Usage): Record<string, unknown> {
  const prompt = usage.promptTokens ?? 0;
  const completion = usage.completionTokens ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: usage.totalTokens ?? prompt + completion,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** One `choice` of a whole answer. Source: https://platform.openai.com/docs/api-reference/chat/object */
export function openAiChoice(answer: ScriptAnswer, index: number, nextId: () => string): Record<string, unknown> {
  const calls = answer.toolCalls ?? [];
  return {
    index,
    message: {
      role: 'assistant',
      content: answer.text === undefined && calls.length > 0 ? null : (answer.text ?? ''),
      ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((call) => ({
              id: call.id ?? nextId(),
              type: 'function',
              function: { name: call.name, arguments: argumentsText(call.arguments) },
            })),
          }),
      refusal: null,
      annotations: [],
    },
    logprobs: null,
    finish_reason: openAiFinishReason(finishReasonOf(answer)) ?? finishReasonOf(answer),
  };
}

/** The `choices` entries of a streamed answer, one a chunk. Source: https://platform.openai.com/docs/api-reference/chat/streaming */
export function* openAiDeltas(
  answer: ScriptAnswer,
  index: number,
  nextId: () => string,
): Generator<Record<string, unknown>> {
  const choice = (delta: object, finishReason: string | null = null): Record<string, unknown> => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finishReason,
  });
  yield choice({ role: 'assistant', content: '', refusal: null });
  for (const piece of cutText(answer.reasoning ?? '', answer.chunks)) yield choice({ reasoning_content: piece });
  for (const piece of cutText(answer.text ?? '', answer.chunks)) yield choice({ content: piece });
  for (const [position, call] of (answer.toolCalls ?? []).entries()) {
    const head = { index: position, id: call.id ?? nextId(), type: 'function' };
    yield choice({ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] });
    for (const piece of cutText(argumentsText(call.arguments), answer.chunks)) {
      yield choice({ tool_calls: [{ index: position, function: { arguments: piece } }] });
    }
  }
  yield choice({}, openAiFinishReason(finishReasonOf(answer)) ?? finishReasonOf(answer));
}
