import type { Input, RateLimit, Usage } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { isFields } from './json-fields.js';

/** Counters of messages and of message deltas, as they came; the latter repeat what they know, as totals so far. */
export type AnthropicUsage = Readonly<Record<string, unknown>>;

/** `over` on `base`, counter by counter: a later event corrects an earlier one and is never added to it. */
export function mergeAnthropicUsage(base: AnthropicUsage, over: unknown): AnthropicUsage {
  if (!isFields(over)) return base;
  const known = Object.entries(over).filter(([, value]) => value !== null);
  return { ...base, ...Object.fromEntries(known) };
}

/** Anthropic counts cached parts of the prompt beside `input_tokens`, not in it. What is no count is left out. */
export function fromAnthropicUsage(usage: AnthropicUsage): Input<Usage> {
  const written = reportedCount(usage['cache_creation_input_tokens']);
  const read = reportedCount(usage['cache_read_input_tokens']);
  const details = usage['output_tokens_details'];
  return {
    promptTokens: sumOf(usage, ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']),
    completionTokens: reportedCount(usage['output_tokens']),
    cacheReadTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: isFields(details) ? reportedCount(details['thinking_tokens']) : undefined,
    native: Object.keys(usage).length === 0 ? undefined : usage,
  };
}

/** Unknown when the first is, or when another is there and no count. */
function sumOf(usage: AnthropicUsage, [first, ...others]: readonly [string, ...string[]]): number | undefined {
  let sum = reportedCount(usage[first]);
  for (const name of others) {
    if (usage[name] === undefined || sum === undefined) continue;
    const count = reportedCount(usage[name]);
    sum = count === undefined ? undefined : sum + count;
  }
  return sum;
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
