import { invalidArgument } from '@vernal/core';
import type { OllamaPullProgress } from './pull-progress.js';

/**
 * Whether a model is pulled before it is used: each time a process first uses it, when the server does not have it, or never.
 * Source: `PullModelStrategy` of Spring AI.
 */
export type OllamaPullStrategy = 'always' | 'whenMissing' | 'never';

/** How patiently models are pulled. Source: `ModelManagementOptions` of Spring AI. */
export interface OllamaPullLimits {
  /**
   * Milliseconds that a pull may go without news from the server. Default 300,000, five minutes. A download that moves on is not cut; to
   * limit the whole of it, give a signal.
   */
  readonly pullTimeoutMs?: number | undefined;
  /** How often a pull that failed for a passing reason is tried again, after 2, 10, 50 … seconds. Default 0. */
  readonly pullRetries?: number | undefined;
}

/** How a model of this package sees to it that the server has what it needs. Nothing happens before the first call or `ready`. */
export interface OllamaPullOptions extends OllamaPullLimits {
  /** Default 'never'. */
  readonly pull?: OllamaPullStrategy | undefined;
  /** Models that `ready` pulls too, by the same strategy. Default none. */
  readonly additionalModels?: readonly string[] | undefined;
  /** Hears how pulls of this model get on. */
  readonly onPullProgress?: ((progress: OllamaPullProgress) => void) | undefined;
}

/** Throws `invalid_argument` for limits that cannot be right. */
export function requirePullLimits({ pullTimeoutMs, pullRetries }: OllamaPullLimits): Required<{
  [K in keyof OllamaPullLimits]: number;
}> {
  if (pullTimeoutMs !== undefined && !(Number.isFinite(pullTimeoutMs) && pullTimeoutMs > 0)) {
    throw invalidArgument('pullTimeoutMs', 'must be a number of milliseconds above 0');
  }
  if (pullRetries !== undefined && !(Number.isInteger(pullRetries) && pullRetries >= 0)) {
    throw invalidArgument('pullRetries', 'must be a whole number, at least 0');
  }
  return { pullTimeoutMs: pullTimeoutMs ?? 300_000, pullRetries: pullRetries ?? 0 };
}

/** Throws `invalid_argument` for a strategy that there is not. */
export function requirePullStrategy(subject: string, strategy: OllamaPullStrategy): OllamaPullStrategy {
  if (['always', 'whenMissing', 'never'].includes(strategy)) return strategy;
  throw invalidArgument(subject, "must be 'always', 'whenMissing' or 'never'");
}
