/**
 * Token counts. A counter is absent when the provider did not say: never NaN, never a made-up 0.
 * `totalTokens` is the provider's, or the sum when both parts are known.
 */
export interface Usage {
  /** The whole prompt, cached parts included. */
  readonly promptTokens?: number;
  /** The whole completion, reasoning included. */
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  /** Subset of `promptTokens`. */
  readonly cacheReadTokens?: number;
  /** Subset of `promptTokens`. */
  readonly cacheWriteTokens?: number;
  /** Subset of `completionTokens`. */
  readonly reasoningTokens?: number;
  /** One entry a model call, when there was more than one; the counters above are their sums. */
  readonly rounds?: readonly Usage[];
  /** As the provider sent it. Dropped when summed. */
  readonly native?: unknown;
}

/** Sum of two model calls: an absent counter counts as absent, so absent + absent is absent and absent + 3 is 3. Fills `rounds`. */
export declare function addUsage(a: Usage, b: Usage): Usage;
