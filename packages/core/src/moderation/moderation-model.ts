import type { CallContext } from '../context/call-context.js';
import type { Settings } from '../options/chat-options.js';

/** Options as a caller writes them: undefined keeps the model's default, null unsets it. Source: `ModerationOptions` of spring-ai-model. */
export interface ModerationOptions extends Settings<{ readonly model?: string }> {}

/** What a moderation model says of one input. Categories are a map, because every provider has its own. */
export interface ModerationResult {
  /** The provider's own verdict; its thresholds differ by category. */
  readonly flagged: boolean;
  /** By the provider's category name: 'violence', 'self-harm/intent', 'pii'. */
  readonly categories: Readonly<Record<string, boolean>>;
  /** 0 to 1, by the same names. */
  readonly scores: Readonly<Record<string, number>>;
}

/** The provider's verdicts on the inputs of one call. Source: `ModerationResponse` of spring-ai-model. */
export interface ModerationResponse {
  /** The provider's id of the request. */
  readonly id?: string;
  readonly model?: string;
  /** One an input, in order. */
  readonly results: readonly ModerationResult[];
}

/**
 * Tells whether text breaks the provider's rules. Source: `ModerationModel` of spring-ai-model.
 *
 * @example
 * const { results } = await moderation.call(['first text', 'second text']);
 * const bad = results.some(({ flagged }) => flagged);
 */
export interface ModerationModel {
  /** Lower case, stable: 'openai', 'mistral'. The key of telemetry. */
  readonly provider: string;
  /** Text is short for a list of one. */
  call(
    input: string | readonly string[],
    options?: ModerationOptions,
    context?: CallContext,
  ): Promise<ModerationResponse>;
}
