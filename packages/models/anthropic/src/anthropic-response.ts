import type { Message as AnthropicMessage, ContentBlock } from '@anthropic-ai/sdk/resources/messages';
import {
  assistantMessage,
  type ChatResponse,
  chatResponse,
  type FinishReason,
  type Input,
  type RateLimit,
  type ReasoningPart,
  type ToolCall,
} from '@vernal/core';
import { fromAnthropicUsage } from './anthropic-usage.js';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

export function anthropicFinishReason(native: string | null | undefined): FinishReason | undefined {
  return native ? (finishReasons[native] ?? native) : undefined;
}

/** A whole answer. */
export function fromAnthropicMessage(message: AnthropicMessage, rateLimit: Input<RateLimit> | undefined): ChatResponse {
  return chatResponse(
    [
      {
        index: 0,
        output: assistantMessage({
          text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
          toolCalls: message.content.flatMap(toolCall),
          reasoning: message.content.flatMap(reasoningPart),
        }),
        metadata: {
          finishReason: anthropicFinishReason(message.stop_reason),
          nativeFinishReason: message.stop_reason ?? undefined,
          stopSequence: message.stop_sequence ?? undefined,
        },
      },
    ],
    { id: message.id, model: message.model, usage: fromAnthropicUsage(message.usage ?? {}), rateLimit },
  );
}

function toolCall(block: ContentBlock): ToolCall[] {
  return block.type === 'tool_use'
    ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input ?? {}) }]
    : [];
}

function reasoningPart(block: ContentBlock): ReasoningPart[] {
  if (block.type === 'thinking') return [{ text: block.thinking, signature: block.signature, provider: 'anthropic' }];
  return block.type === 'redacted_thinking' ? [{ redactedData: block.data, provider: 'anthropic' }] : [];
}
