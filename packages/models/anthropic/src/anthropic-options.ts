import { type ChatOptionsFactory, chatOptionsFactory } from '@vernal/core';

/** What only Anthropic's messages have. Source: https://docs.claude.com/en/api/messages */
export interface AnthropicOptions {
  /** Lets the model think first. With a budget it must be lower than `maxTokens`, at least 1,024. */
  readonly thinking:
    | { readonly type: 'disabled' }
    | { readonly type: 'adaptive' }
    | { readonly type: 'enabled'; readonly budgetTokens: number };
  readonly effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  readonly disableParallelToolUse: boolean;
  readonly serviceTier: 'auto' | 'standard_only';
  /** An opaque id of the user, for the detection of abuse. */
  readonly userId: string;
}

/**
 * Portable and Anthropic's own options in one literal.
 *
 * @example
 * client.prompt('Hi').options(anthropicChatOptions({ maxTokens: 8_000, thinking: { type: 'enabled', budgetTokens: 4_000 } }));
 */
export const anthropicChatOptions: ChatOptionsFactory<AnthropicOptions> =
  chatOptionsFactory<AnthropicOptions>('anthropic');
