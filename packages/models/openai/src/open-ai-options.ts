import { type ChatOptionsFactory, chatOptionsFactory, type JsonSchema } from '@vernal/core';

/** What only OpenAI's chat completions have. Source: https://platform.openai.com/docs/api-reference/chat/create */
export interface OpenAiOptions {
  /** How many answers; each becomes a generation. Default 1. */
  readonly n: number;
  readonly seed: number;
  readonly parallelToolCalls: boolean;
  readonly reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
  readonly verbosity: 'low' | 'medium' | 'high';
  readonly serviceTier: 'auto' | 'default' | 'flex' | 'priority' | 'scale';
  readonly promptCacheKey: string;
  readonly safetyIdentifier: string;
  readonly store: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly user: string;
  /** Token id to a bias from -100 to 100. */
  readonly logitBias: Readonly<Record<string, number>>;
  readonly logprobs: boolean;
  /** 0 to 20; needs `logprobs`. */
  readonly topLogprobs: number;
  /** `outputSchema` wins over it. */
  readonly responseFormat:
    | { readonly type: 'text' }
    | { readonly type: 'json_object' }
    | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonSchema; readonly strict?: boolean };
  /**
   * Sends tools and `outputSchema` as strict, in the form that strict mode wants: every property required, the optional ones nullable.
   * Such a null counts as left out when the answer is read. Default false.
   */
  readonly strict: boolean;
  /** Ask for the usage in a stream. Default true; some servers refuse it. */
  readonly streamUsage: boolean;
}

/**
 * Portable and OpenAI's own options in one literal.
 *
 * @example
 * client.prompt('Hi').options(openAiChatOptions({ temperature: 0, reasoningEffort: 'low', seed: 7 }));
 */
export const openAiChatOptions: ChatOptionsFactory<OpenAiOptions> = chatOptionsFactory<OpenAiOptions>('openai');
