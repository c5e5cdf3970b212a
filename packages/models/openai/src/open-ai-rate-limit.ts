import type { Input, RateLimit } from '@vernal/core';
import { onlyDefined } from './only-defined.js';

const PREFIX = 'x-ratelimit-';
/** Looked at in every answer: whole, so that none has to be put together. */
const NAMES = ['remaining', 'limit', 'reset'].flatMap((what) => [
  `${PREFIX}${what}-requests`,
  `${PREFIX}${what}-tokens`,
]);

/** Undefined when no header tells of a limit. Source: https://platform.openai.com/docs/guides/rate-limits, the part on headers. */
export function openAiRateLimit(headers: Headers): Input<RateLimit> | undefined {
  if (!NAMES.some((name) => headers.has(name))) return undefined;
  const text = (name: string): string | null => headers.get(PREFIX + name);
  return {
    requestsLimit: whole(text('limit-requests')),
    requestsRemaining: whole(text('remaining-requests')),
    requestsResetMs: duration(text('reset-requests')),
    tokensLimit: whole(text('limit-tokens')),
    tokensRemaining: whole(text('remaining-tokens')),
    tokensResetMs: duration(text('reset-tokens')),
  };
}

/** The same for responses that nobody else rids of what is not said. */
export function reportedRateLimit(headers: Headers): RateLimit | undefined {
  const limit = openAiRateLimit(headers);
  return limit === undefined ? undefined : (onlyDefined(limit) as RateLimit);
}

function whole(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** '1h2m3.5s' and '12ms' in milliseconds. */
function duration(text: string | null): number | undefined {
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0) return undefined;
  return Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (milliseconds[unit ?? ''] ?? 0), 0));
}
