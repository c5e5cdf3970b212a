import type { FixtureResponse } from '@copilotkit/aimock';
import type { ScriptAnswer } from '../doubles/script-step.js';
import { argumentsText, finishReasonOf } from '../doubles/script-step.js';

type Overrides = Pick<Extract<FixtureResponse, { content: string }>, 'usage' | 'finishReason'>;

/** aimock takes counters under the names of the provider that is asked: all of them are given. */
function overrides(answer: ScriptAnswer): Overrides {
  const finishReason = finishReasonOf(answer);
  if (answer.usage === undefined) return { finishReason };
  const { promptTokens: prompt = 0, completionTokens: completion = 0 } = answer.usage;
  return {
    finishReason,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: answer.usage.totalTokens ?? prompt + completion,
      input_tokens: prompt,
      output_tokens: completion,
    },
  };
}

/** A step as aimock serves it. */
export function aimockAnswer(answer: ScriptAnswer): FixtureResponse {
  if (answer.error !== undefined) {
    return { status: 500, error: { message: answer.error.message, type: 'server_error' } };
  }
  const calls = (answer.toolCalls ?? []).map((call) => {
    const plain = { name: call.name, arguments: argumentsText(call.arguments) };
    return call.id === undefined ? plain : { ...plain, id: call.id };
  });
  const shared = { ...overrides(answer), ...(answer.reasoning === undefined ? {} : { reasoning: answer.reasoning }) };
  if (calls.length === 0) return { ...shared, content: answer.text ?? '' };
  if (answer.text === undefined) return { ...shared, toolCalls: calls };
  return { ...shared, content: answer.text, toolCalls: calls };
}
