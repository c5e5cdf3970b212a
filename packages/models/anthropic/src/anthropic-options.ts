import { type ChatOptionsFactory, chatOptionsFactory } from '@vernal/core';
import type { AnthropicCacheOptions } from './anthropic-cache.js';
import type { AnthropicCitationDocument } from './anthropic-documents.js';
import type { AnthropicSkillContainer, AnthropicWebSearch } from './anthropic-server-tools.js';

/**
 * Whether and how the model thinks before it answers. 'enabled' has a budget in tokens, at least 1,024 and below `maxTokens`; newer models
 * only take 'adaptive', which leaves it to the model. `display`: 'summarized' gives the thinking as text, 'omitted' only its signature;
 * the default depends on the model.
 * Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking and …/adaptive-thinking
 */
export type AnthropicThinking =
  | { readonly type: 'disabled' }
  | { readonly type: 'adaptive'; readonly display?: 'summarized' | 'omitted' | undefined }
  | {
      readonly type: 'enabled';
      readonly budgetTokens: number;
      readonly display?: 'summarized' | 'omitted' | undefined;
    };

/**
 * What only Anthropic's messages have. Source: `AnthropicChatOptions` of Spring AI; https://platform.claude.com/docs/en/api/messages
 */
export interface AnthropicOptions {
  /** Lets the model think first. Thinking comes as reasoning parts. Default: as the model has it. */
  readonly thinking: AnthropicThinking;
  /** How much the model may spend on an answer. Default 'high', at Anthropic's. */
  readonly effort: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** At most one tool call a round. Goes along with any `toolChoice` but 'none'. Default false. */
  readonly disableParallelToolUse: boolean;
  /** Documents in front of the last user message, to be answered from and cited. Default: none. */
  readonly citationDocuments: readonly AnthropicCitationDocument[];
  /** Documents among the media of user messages may be cited too; their names become titles. Default false. */
  readonly mediaCitations: boolean;
  /** What of the prompt is cached. Default: nothing. */
  readonly cacheOptions: AnthropicCacheOptions;
  /** Lets the model search the web, at Anthropic's. Default: not. */
  readonly webSearch: AnthropicWebSearch;
  /** Skills, and the container they run in. Default: none. */
  readonly skillContainer: AnthropicSkillContainer;
  /** Sent with this request, over those of the connection. Default: none. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of betas, added to an `anthropic-beta` header. Default: those of skills, when there are any; [] sends none. */
  readonly betas: readonly string[];
  /** 'auto' uses priority capacity where there is some. Default 'auto', at Anthropic's. */
  readonly serviceTier: 'auto' | 'standard_only';
  /** Where the model runs: 'us', 'global', …. Default: as the workspace has it. */
  readonly inferenceGeo: string;
  /** An opaque id of the user, for the detection of abuse: no name, no address. */
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
