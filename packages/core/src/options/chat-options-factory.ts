import { invalidArgument } from '../errors/invalid-argument.js';
import { setOwn } from '../json/own-property.js';
import type { ChatOptions, ResolvedChatOptions, Settings } from './chat-options.js';
import { overlayChatOptions, withoutNulls } from './merge-chat-options.js';

/** What a provider package exports: `export const openAiChatOptions = chatOptionsFactory<OpenAiOptions>('openai')`. */
export interface ChatOptionsFactory<Own extends object> {
  /** Portable and own fields in one literal; own fields end up under `providerOptions[provider]`. A typo is a compile error. */
  (options: ChatOptions & Settings<Own>): ChatOptions;
  readonly provider: string;
  /** This provider's own fields; {} when there are none. Fields of other providers are never seen, so options survive a fallback. */
  of(options: ChatOptions | ResolvedChatOptions): Readonly<Partial<Own>>;
}

/** Typed by the portable options: a field that is added there and forgotten here does not compile. */
const PORTABLE: { readonly [K in keyof Required<ResolvedChatOptions>]: true } = {
  model: true,
  temperature: true,
  topP: true,
  topK: true,
  maxTokens: true,
  stopSequences: true,
  frequencyPenalty: true,
  presencePenalty: true,
  tools: true,
  toolNames: true,
  toolContext: true,
  toolChoice: true,
  outputSchema: true,
  extra: true,
  providerOptions: true,
};

/**
 * Own fields must not bear the name of a portable one, which would win.
 *
 * @example
 * const acmeChatOptions = chatOptionsFactory<{ readonly seed: number }>('acme');
 * const options = acmeChatOptions({ temperature: 0, seed: 7 }); // { temperature: 0, providerOptions: { acme: { seed: 7 } } }
 * acmeChatOptions.of(options).seed; // 7
 */
export function chatOptionsFactory<Own extends object>(provider: string): ChatOptionsFactory<Own> {
  if (typeof provider !== 'string' || provider === '')
    throw invalidArgument('provider', "must be a name such as 'openai'");
  const factory = (options: ChatOptions & Settings<Own>): ChatOptions => split(provider, options);
  const of = (options: ChatOptions | ResolvedChatOptions): Readonly<Partial<Own>> => {
    const providers = options.providerOptions ?? {};
    // What is filed under the provider's name was typed by this factory when it was written.
    return withoutNulls((Object.hasOwn(providers, provider) && providers[provider]) || {}) as Readonly<Partial<Own>>;
  };
  return Object.assign(factory, { provider, of });
}

function split(provider: string, options: ChatOptions): ChatOptions {
  const portable: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined) setOwn(Object.hasOwn(PORTABLE, key) ? portable : own, key, value);
  }
  if (Object.keys(own).length === 0) return portable;
  return overlayChatOptions(portable, { providerOptions: { [provider]: own } });
}
