import { invalidArgument } from '../errors/invalid-argument.js';
import type { Logger } from '../logging/logger.js';
import { safeLogger } from '../logging/safe-logger.js';
import { noopObservationRegistry, type ObservationRegistry } from '../observation/observation.js';
import type { ApproveTool } from './approval.js';
import type { ToolCallback } from './tool-callback.js';
import type { ToolCallingManagerOptions, ToolExecutionExceptionProcessor } from './tool-calling-manager.js';
import { type ResolvedToolLimits, resolveToolLimits } from './tool-limits.js';
import type { ToolCallbackResolver } from './tool-resolver.js';

/** Options of a manager, checked and with their defaults. */
export interface ManagerSettings {
  readonly resolver: ToolCallbackResolver | undefined;
  readonly exceptionProcessor: ToolExecutionExceptionProcessor;
  readonly throwOnError: boolean;
  readonly limits: ResolvedToolLimits;
  readonly approve: ApproveTool | undefined;
  readonly approvalKey: Uint8Array | undefined;
  readonly approvalTtlMs: number;
  readonly maxConcurrency: number;
  readonly timeoutMs: number | undefined;
  readonly registry: ObservationRegistry;
  readonly logger: Logger;
  /** Tools whose name was complained of: once each is enough. */
  readonly warned: WeakSet<ToolCallback>;
}

const MIN_KEY_BYTES = 32;
const DAY_MS = 86_400_000;
/** Longer timers fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Throws `invalid_argument` that names the option. */
export function managerSettings(options: ToolCallingManagerOptions): ManagerSettings {
  const { approvalKey, approvalTtlMs = DAY_MS, maxConcurrency = 8, timeoutMs } = options;
  if (approvalKey !== undefined && approvalKey.byteLength < MIN_KEY_BYTES)
    throw invalidArgument('approvalKey', `must hold at least ${MIN_KEY_BYTES} random bytes`);
  if (!(approvalTtlMs > 0)) throw invalidArgument('approvalTtlMs', 'must be > 0 milliseconds');
  if (!(maxConcurrency >= 1)) throw invalidArgument('maxConcurrency', 'must be >= 1');
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS))
    throw invalidArgument('timeoutMs', `must be > 0 and <= ${MAX_TIMER_MS} milliseconds; leave it out for none`);
  return {
    resolver: options.resolver,
    exceptionProcessor: options.exceptionProcessor ?? ((error) => error.message),
    throwOnError: options.throwOnError ?? false,
    limits: resolveToolLimits(options.limits),
    approve: options.approve,
    // A copy: the caller may wipe his.
    approvalKey: approvalKey?.slice(),
    approvalTtlMs,
    maxConcurrency: options.parallel === false ? 1 : maxConcurrency,
    timeoutMs,
    registry: options.observationRegistry ?? noopObservationRegistry,
    logger: safeLogger(options.logger),
    warned: new WeakSet(),
  };
}
