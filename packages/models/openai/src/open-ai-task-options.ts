import type { Logger, ObservationRegistry, RetryPolicy } from '@vernal/core';
import type { OpenAiConnection } from './open-ai-connection.js';

/**
 * What the models for images, speech, transcripts and moderation take in common. Each needs `apiKey`, `client`, or the `baseURL` of a server
 * that wants no key.
 */
export interface OpenAiTaskOptions<Options> extends OpenAiConnection {
  /** What a call does not say. */
  readonly defaultOptions?: Options | undefined;
  /** Default `noRetry`: the SDK repeats requests by itself. Given, it takes its place. */
  readonly retry?: RetryPolicy | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. */
  readonly logger?: Logger | undefined;
}
