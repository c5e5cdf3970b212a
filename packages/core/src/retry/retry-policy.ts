import type { Logger } from '../logging/logger.js';

/** How often and how patiently. Source: the retry template of spring-ai-retry, with jitter, a deadline and Retry-After added. */
export interface RetryPolicy {
  /** Tries in all, the first included. Default 11. */
  readonly maxAttempts?: number | undefined;
  /** Milliseconds before the second try. Default 2,000. */
  readonly initialDelayMs?: number | undefined;
  /** Default 5. */
  readonly multiplier?: number | undefined;
  /** Default 180,000. */
  readonly maxDelayMs?: number | undefined;
  /** 0 to 1: the part of each delay drawn at random. Default 0.2. */
  readonly jitter?: number | undefined;
  /** Milliseconds for all tries and waits together. Default none. */
  readonly deadlineMs?: number | undefined;
  /** Default: `VernalError.retryable`, connection errors, HTTP 408, 409, 429 and 5xx. */
  readonly retryable?: ((error: unknown, attempt: number) => boolean) | undefined;
}

/** Ends the retrying, or watches it. `onRetry` is called before each wait. */
export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly logger?: Logger | undefined;
  readonly onRetry?:
    | ((event: { readonly attempt: number; readonly delayMs: number; readonly error: unknown }) => void)
    | undefined;
}

/** `maxAttempts: 1`: what models do unless told otherwise, for the SDKs of providers repeat requests by themselves. */
export const noRetry: RetryPolicy = Object.freeze({ maxAttempts: 1 });
