import type { Input, RateLimit, Usage } from '@vernal/core';

/** Counters of messages and of message deltas; the latter repeat what they know, as totals so far. */
export interface AnthropicUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** `over` on `base`, counter by counter: a later event corrects an earlier one and is never added to it. */
export function mergeAnthropicUsage(base: AnthropicUsage, over: AnthropicUsage | null | undefined): AnthropicUsage {
  const known = Object.entries(over ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return { ...base, ...Object.fromEntries(known) };
}

/** Anthropic counts cached parts of the prompt beside `input_tokens`, not in it. */
export function fromAnthropicUsage(usage: AnthropicUsage): Input<Usage> {
  const {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  } = usage;
  return {
    promptTokens: typeof input === 'number' ? input + (written ?? 0) + (read ?? 0) : undefined,
    completionTokens: output ?? undefined,
    cacheReadTokens: read ?? undefined,
    cacheWriteTokens: written ?? undefined,
    native: usage,
  };
}

/** Source: https://docs.claude.com/en/api/rate-limits, the part on response headers. */
export function anthropicRateLimit(headers: Headers, now: () => number = Date.now): Input<RateLimit> | undefined {
  if (
    headers.get('anthropic-ratelimit-requests-limit') === null &&
    headers.get('anthropic-ratelimit-tokens-limit') === null
  ) {
    return undefined;
  }
  const number = (name: string): number | undefined => {
    const text = headers.get(`anthropic-ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  const untilReset = (name: string): number | undefined => {
    const at = Date.parse(headers.get(`anthropic-ratelimit-${name}-reset`) ?? '');
    return Number.isNaN(at) ? undefined : Math.max(0, at - now());
  };
  return {
    requestsLimit: number('requests-limit'),
    requestsRemaining: number('requests-remaining'),
    requestsResetMs: untilReset('requests'),
    tokensLimit: number('tokens-limit'),
    tokensRemaining: number('tokens-remaining'),
    tokensResetMs: untilReset('tokens'),
  };
}
