import {
  assistantMessage,
  type ChatResponse,
  type ChatResponseMetadataInput,
  chatResponse,
  type FinishReason,
  type GenerationInput,
  type Input,
  type Metadata,
  type RateLimit,
  type ReasoningPart,
} from '@vernal/core';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { openAiUsage } from './open-ai-usage.js';

/** What servers that speak the protocol add to it. */
export interface OpenAiAdditions {
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
}
const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** Servers that call tools end with many words; what was cut or filtered stays what it is. */
export function openAiFinishReason(native: string | null | undefined, callsTools: boolean): FinishReason | undefined {
  const known = finishReasons[native?.toLowerCase() ?? ''];
  if (callsTools && known !== 'length' && known !== 'content_filter') return native ? 'tool_calls' : undefined;
  return known ?? (native || undefined);
}

export function reasoningParts(source: OpenAiAdditions | undefined): ReasoningPart[] {
  const text = source?.reasoning_content ?? source?.reasoning;
  return typeof text === 'string' && text !== '' ? [{ text, provider: 'openai' }] : [];
}

/** A whole answer. */
export function fromCompletion(completion: ChatCompletion, rateLimit: Input<RateLimit> | undefined): ChatResponse {
  const results = (completion.choices ?? []).map((choice, position): GenerationInput => {
    const { message } = choice;
    const calls = (message.tool_calls ?? []).flatMap((call, at) =>
      call.type === 'custom'
        ? []
        : [{ id: call.id || `call_${at}`, name: call.function.name, arguments: call.function.arguments ?? '' }],
    );
    return {
      index: choice.index ?? position,
      output: assistantMessage({
        text: message.content ?? message.refusal ?? '',
        toolCalls: calls,
        reasoning: reasoningParts(message as OpenAiAdditions),
      }),
      metadata: {
        finishReason: openAiFinishReason(choice.finish_reason, calls.length > 0),
        nativeFinishReason: choice.finish_reason ?? undefined,
        refusal: message.refusal ?? undefined,
        annotations: message.annotations,
        logprobs: choice.logprobs ?? undefined,
      },
    };
  });
  return chatResponse(results, openAiMetadata(completion, rateLimit));
}

/** What whole answers and chunks say about themselves. */
export function openAiMetadata(
  source: {
    readonly id?: string | undefined;
    readonly model?: string | undefined;
    readonly usage?: CompletionUsage | null | undefined;
    readonly system_fingerprint?: string | null | undefined;
    readonly prompt_filter_results?: readonly Metadata[] | undefined;
  },
  rateLimit: Input<RateLimit> | undefined,
): ChatResponseMetadataInput {
  return {
    id: source.id || undefined,
    model: source.model || undefined,
    usage: openAiUsage(source.usage),
    rateLimit,
    promptFilters: source.prompt_filter_results,
    systemFingerprint: source.system_fingerprint ?? undefined,
  };
}
