import { type Input, isRecord, type JsonRecord, type Usage } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { onlyDefined } from './only-defined.js';

const NONE: Input<Usage> = Object.freeze({});
const NO_FIELDS: JsonRecord = Object.freeze({});

/**
 * Usage as the server gave it; servers that leave parts out are many. Tokens of sound and of predictions stay in `native`.
 * Sources: https://platform.openai.com/docs/api-reference/chat/object; `prompt_cache_hit_tokens`: https://api-docs.deepseek.com/guides/kv_cache
 */
export function openAiUsage(usage: unknown): Input<Usage> {
  if (!isRecord(usage)) return NONE;
  const prompt = isRecord(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : NO_FIELDS;
  const completion = isRecord(usage['completion_tokens_details']) ? usage['completion_tokens_details'] : NO_FIELDS;
  return {
    promptTokens: reportedCount(usage['prompt_tokens']),
    completionTokens: reportedCount(usage['completion_tokens']),
    totalTokens: reportedCount(usage['total_tokens']),
    cacheReadTokens: reportedCount(prompt['cached_tokens']) ?? reportedCount(usage['prompt_cache_hit_tokens']),
    cacheWriteTokens: reportedCount(prompt['cache_write_tokens']),
    reasoningTokens: reportedCount(completion['reasoning_tokens']),
    native: usage,
  };
}

/**
 * Usage of images and transcripts, which have other names for the same: tokens in and out. What is billed by the second stays in `native`.
 * Sources: https://platform.openai.com/docs/api-reference/images/object, https://platform.openai.com/docs/api-reference/audio/json-object
 */
export function taskUsage(usage: unknown): Usage {
  if (!isRecord(usage)) return {};
  const promptTokens = reportedCount(usage['input_tokens']) ?? reportedCount(usage['prompt_tokens']);
  const completionTokens = reportedCount(usage['output_tokens']) ?? reportedCount(usage['completion_tokens']);
  const sum =
    promptTokens === undefined || completionTokens === undefined ? undefined : promptTokens + completionTokens;
  const totalTokens = reportedCount(usage['total_tokens']) ?? sum;
  return { ...onlyDefined({ promptTokens, completionTokens, totalTokens }), native: usage };
}
