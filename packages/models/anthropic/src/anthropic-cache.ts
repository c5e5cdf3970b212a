import type { CacheControlEphemeral } from '@anthropic-ai/sdk/resources/messages';
import { invalidArgument, type Logger } from '@vernal/core';

/** Messages that end a cached part of the prompt. Tool definitions count as 'system'. */
export type AnthropicCachedMessage = 'system' | 'user' | 'tool';

/** How long Anthropic keeps what it caches, from the last time it was read. */
export type AnthropicCacheTtl = '5m' | '1h';

/**
 * Which parts of the prompt Anthropic keeps, so that the next request with the same beginning is cheaper and quicker. What was read and
 * written is in `usage.cacheReadTokens` and `cacheWriteTokens`. Anthropic itself ignores parts below some 1,000 to 4,000 tokens, by model.
 * Source: `AnthropicCacheOptions` of Spring AI; https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 *
 * @example
 * anthropicChatOptions({ cacheOptions: { strategy: 'systemAndTools', messageTypeTtl: { system: '1h' } } });
 */
export interface AnthropicCacheOptions {
  /**
   * 'none'; 'tools': the tool definitions; 'system': the system messages (and the tools, which come before them); 'systemAndTools': both,
   * each by itself; 'conversation': both, and everything up to the last user message.
   */
  readonly strategy: 'none' | 'tools' | 'system' | 'systemAndTools' | 'conversation';
  /** What comes earlier in the prompt (tools, system, messages) must not live shorter than what comes later. Default 5 minutes each. */
  readonly messageTypeTtl?: { readonly [K in AnthropicCachedMessage]?: AnthropicCacheTtl | undefined } | undefined;
  /** Shorter content is not worth writing. Of 'user' the whole conversation counts; tools are always written. Default 1 each. */
  readonly messageTypeMinContentLengths?: { readonly [K in AnthropicCachedMessage]?: number | undefined } | undefined;
  /** Measures content for `messageTypeMinContentLengths`. Default: characters. */
  readonly contentLength?: ((text: string) => number) | undefined;
  /** With several system messages: the last one changes from call to call, and the cached part ends before it. Default false. */
  readonly multiBlockSystemCaching?: boolean | undefined;
  /** With 'conversation': also up to the last results of tools, for turns of many tool rounds. Default false. */
  readonly cacheToolResults?: boolean | undefined;
}

/** Anthropic takes no more in one request. */
const MAX_BREAKPOINTS = 4;

/** Marks the blocks of one request at which a cached part ends, in the order of the prompt. */
export class CacheBreakpoints {
  readonly #options: AnthropicCacheOptions;
  #used = 0;
  #ignored = 0;
  #short = false;

  constructor(options: AnthropicCacheOptions | undefined) {
    this.#options = options ?? { strategy: 'none' };
  }

  /** How far before the last system block the mark goes. */
  get systemOffset(): 1 | 2 {
    return this.#options.multiBlockSystemCaching ? 2 : 1;
  }

  get toolResults(): boolean {
    return this.#options.strategy === 'conversation' && this.#options.cacheToolResults === true;
  }

  tools(): CacheControlEphemeral | undefined {
    const { strategy, messageTypeTtl } = this.#options;
    const wanted = strategy === 'tools' || strategy === 'systemAndTools' || strategy === 'conversation';
    return wanted ? this.take(messageTypeTtl?.system) : undefined;
  }

  message(type: AnthropicCachedMessage, text: string): CacheControlEphemeral | undefined {
    const { strategy, messageTypeTtl, messageTypeMinContentLengths, contentLength } = this.#options;
    const wanted = type === 'system' ? strategy !== 'none' && strategy !== 'tools' : strategy === 'conversation';
    if (!wanted) return undefined;
    const length = contentLength === undefined ? text.length : contentLength(text);
    return length < (messageTypeMinContentLengths?.[type] ?? 1) ? undefined : this.take(messageTypeTtl?.[type]);
  }

  take(ttl: AnthropicCacheTtl | undefined): CacheControlEphemeral | undefined {
    if (this.#used === MAX_BREAKPOINTS) {
      this.#ignored++;
      return undefined;
    }
    if (ttl === '1h' && this.#short) {
      throw invalidArgument(
        'cacheOptions.messageTypeTtl',
        'what comes earlier (tools and system, then messages) must live at least as long: make it 1h too, or the later one 5m',
      );
    }
    this.#short ||= ttl !== '1h';
    this.#used++;
    return { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) };
  }

  warn(logger: Logger): void {
    if (this.#ignored === 0) return;
    logger.warn(`Anthropic caches up to ${MAX_BREAKPOINTS} parts of a request; further ones are ignored`, {
      ignored: this.#ignored,
    });
  }
}
