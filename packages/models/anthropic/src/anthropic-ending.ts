import type { FinishReason, GenerationMetadata, Input, JsonObject } from '@vernal/core';
import { isFields, textIfAny } from './json-fields.js';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Why the model refused: `refusal` in the metadata of a generation. Source: https://platform.claude.com/docs/en/test-and-evaluate/strengthen-guardrails/handle-streaming-refusals */
export interface AnthropicRefusal {
  /** Anthropic's word for what the request might be used for: 'cyber', 'bio', …. */
  readonly category?: string;
  readonly explanation?: string;
}

/** Why an answer ended, as the API says it. 'pause_turn' stays: the answer is to be sent back, and the model goes on. */
export function anthropicEnding(ending: JsonObject): Input<GenerationMetadata> {
  const native = textIfAny(ending['stop_reason']);
  return {
    finishReason: native !== undefined && Object.hasOwn(finishReasons, native) ? finishReasons[native] : native,
    nativeFinishReason: native,
    stopSequence: textIfAny(ending['stop_sequence']),
    refusal: refusal(ending['stop_details']),
  };
}

function refusal(details: unknown): AnthropicRefusal | undefined {
  if (!isFields(details) || details['type'] !== 'refusal') return undefined;
  const category = textIfAny(details['category']);
  const explanation = textIfAny(details['explanation']);
  return {
    ...(category === undefined ? {} : { category }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}
