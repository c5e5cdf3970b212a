import type { CallContext } from '../context/call-context.js';
import type { Settings } from '../options/chat-options.js';

export interface ModerationOptions extends Settings<{ readonly model?: string }> {}

export interface ModerationResult {
  readonly flagged: boolean;
  /** By the provider's category name: 'violence', 'self-harm/intent', 'pii'. */
  readonly categories: Readonly<Record<string, boolean>>;
  /** 0 to 1, by the same names. */
  readonly scores: Readonly<Record<string, number>>;
}

export interface ModerationResponse {
  readonly id?: string;
  readonly model?: string;
  /** One an input, in order. */
  readonly results: readonly ModerationResult[];
}

export interface ModerationModel {
  readonly provider: string;
  call(
    input: string | readonly string[],
    options?: ModerationOptions,
    context?: CallContext,
  ): Promise<ModerationResponse>;
}
