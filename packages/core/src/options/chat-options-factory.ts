import type { ChatOptions, ResolvedChatOptions, Settings } from './chat-options.js';

/** What a provider package exports: `export const openAiChatOptions = chatOptionsFactory<OpenAiOptions>('openai')`. */
export interface ChatOptionsFactory<Own extends object> {
  /** Portable and own fields in one literal; own fields end up under `providerOptions[provider]`. A typo is a compile error. */
  (options: ChatOptions & Settings<Own>): ChatOptions;
  readonly provider: string;
  /** This provider's own fields; {} when there are none. Fields of other providers are never seen, so options survive a fallback. */
  of(options: ChatOptions | ResolvedChatOptions): Readonly<Partial<Own>>;
}

export declare function chatOptionsFactory<Own extends object>(provider: string): ChatOptionsFactory<Own>;
