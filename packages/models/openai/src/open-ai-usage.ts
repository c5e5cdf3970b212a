import type { Input, RateLimit, Usage } from '@vernal/core';
import type { CompletionUsage } from 'openai/resources/completions';

/** Usage as the server gave it; servers that leave parts out are many. */
export function openAiUsage(usage: Partial<CompletionUsage> | null | undefined): Input<Usage> {
  if (usage === null || usage === undefined) return {};
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    cacheReadTokens: usage.prompt_tokens_details?.cached_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
    native: usage,
  };
}

/** Source: https://platform.openai.com/docs/guides/rate-limits, the part on headers. */
export function openAiRateLimit(headers: Headers): Input<RateLimit> | undefined {
  if (headers.get('x-ratelimit-limit-requests') === null && headers.get('x-ratelimit-limit-tokens') === null)
    return undefined;
  const number = (name: string): number | undefined => {
    const text = headers.get(`x-ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  return {
    requestsLimit: number('limit-requests'),
    requestsRemaining: number('remaining-requests'),
    requestsResetMs: duration(headers.get('x-ratelimit-reset-requests')),
    tokensLimit: number('limit-tokens'),
    tokensRemaining: number('remaining-tokens'),
    tokensResetMs: duration(headers.get('x-ratelimit-reset-tokens')),
  };
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** '1h2m3.5s' and '12ms' in milliseconds. */
function duration(text: string | null): number | undefined {
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0) return undefined;
  return Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (milliseconds[unit ?? ''] ?? 0), 0));
}
