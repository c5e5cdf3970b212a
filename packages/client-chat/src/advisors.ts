export type { RateLimitClock } from '@vernal/core/adapter';
export type { InMemoryResponseCacheOptions } from './advisors/cache/in-memory-response-cache.js';
export { InMemoryResponseCache } from './advisors/cache/in-memory-response-cache.js';
export type { ResponseCache } from './advisors/cache/response-cache.js';
export type { ResponseCacheAdvisorOptions } from './advisors/cache/response-cache-advisor.js';
export { ResponseCacheAdvisor } from './advisors/cache/response-cache-advisor.js';
export type {
  EvaluateAndRepeatAdvisorOptions,
  Judgement,
} from './advisors/evaluation/evaluate-and-repeat-advisor.js';
export { EvaluateAndRepeatAdvisor } from './advisors/evaluation/evaluate-and-repeat-advisor.js';
export { FallbackAdvisor } from './advisors/failures/fallback-advisor.js';
export type { RetryAdvisorOptions } from './advisors/failures/retry-advisor.js';
export { RetryAdvisor } from './advisors/failures/retry-advisor.js';
export type { RedactionAdvisorOptions } from './advisors/redaction/redaction-advisor.js';
export { RedactionAdvisor } from './advisors/redaction/redaction-advisor.js';
export type { RedactionPattern } from './advisors/redaction/redaction-pattern.js';
export { redactionPatterns } from './advisors/redaction/redaction-pattern.js';
export type { BudgetAdvisorOptions } from './advisors/spending/budget-advisor.js';
export { BudgetAdvisor } from './advisors/spending/budget-advisor.js';
export type { RateLimitAdvisorOptions } from './advisors/spending/rate-limit-advisor.js';
export { RateLimitAdvisor } from './advisors/spending/rate-limit-advisor.js';
export { UsageAccumulator } from './advisors/spending/usage-accumulator.js';
