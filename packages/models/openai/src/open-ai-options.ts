import { type ChatOptionsFactory, chatOptionsFactory, type JsonSchema } from '@vernal/core';

/** What only OpenAI's chat completions have. Source: https://platform.openai.com/docs/api-reference/chat/create */
export interface OpenAiOptions {
  /** Limit of the answer, reasoning included, sent as `max_completion_tokens`, whatever `maxTokensParameter` says. Wins over `maxTokens`. */
  readonly maxCompletionTokens: number;
  /** How many answers; each becomes a generation. Default 1. */
  readonly n: number;
  /** The same seed and request give about the same answer while the `systemFingerprint` of the response stays the same. */
  readonly seed: number;
  /** Token id to a bias from -100 to 100. */
  readonly logitBias: Readonly<Record<string, number>>;
  /** Log probabilities of the tokens of the answer, under `logprobs` of the generation's metadata; in a chunk those so far. */
  readonly logprobs: boolean;
  /** How many likely tokens to tell of at each place, 0 to 20. Needs `logprobs`. */
  readonly topLogprobs: number;
  /** False: at most one tool call an answer. Sent only with tools. Default true. */
  readonly parallelToolCalls: boolean;
  /** `outputSchema` wins over it. */
  readonly responseFormat: OpenAiResponseFormat;
  /**
   * Sends tools and `outputSchema` as strict, in the form that strict mode wants: every property required, the optional ones nullable.
   * Such a null counts as left out when the answer is read. Default false.
   */
  readonly strict: boolean;
  /** Which of them a model knows differs. */
  readonly reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | (string & {});
  /** Default at the server 'medium'. */
  readonly verbosity: 'low' | 'medium' | 'high';
  /** The tier that was used is `serviceTier` of the response's metadata; it may be another. */
  readonly serviceTier: 'auto' | 'default' | 'flex' | 'priority' | 'scale' | (string & {});
  /** Requests with the same key and beginning find each other's cached prompt more often. */
  readonly promptCacheKey: string;
  /** How long a cached prompt is kept at most. Models from gpt-5.6 on have `promptCacheOptions` for it. */
  readonly promptCacheRetention: 'in_memory' | '24h';
  /** For gpt-5.6 and later. 'explicit' without breakpoints switches the prompt cache off. */
  readonly promptCacheOptions: {
    /** Default 'implicit'. */
    readonly mode?: 'implicit' | 'explicit' | undefined;
    /** Default '30m', which is the only one. */
    readonly ttl?: '30m' | (string & {}) | undefined;
  };
  /** Keeps the answer at OpenAI, for distillation and evaluations. Default false. */
  readonly store: boolean;
  /** Up to 16 pairs beside a stored answer: names of at most 64 characters, values of at most 512. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The end user. OpenAI replaces it by `safetyIdentifier` and `promptCacheKey`. */
  readonly user: string;
  /** The end user, hashed, at most 64 characters, for finding abuse. */
  readonly safetyIdentifier: string;
  /** Ask for the usage in a stream. Default true; some servers refuse it. */
  readonly streamUsage: boolean;
  /** Of streams. `includeUsage` wins over `streamUsage`; `includeObfuscation: false` saves the padding of chunks. */
  readonly streamOptions: {
    readonly includeUsage?: boolean | undefined;
    readonly includeObfuscation?: boolean | undefined;
  };
  /**
   * What the answer is made of. Default text. Sound needs `outputAudio` and a model that speaks: it is the `media` of the answer, what it
   * says is the text, and its id, `audioId` of the metadata, stands for it in later turns until it expires.
   */
  readonly outputModalities: readonly ('text' | 'audio')[];
  readonly outputAudio: {
    /** Name, or id of a voice of one's own. */
    readonly voice:
      | 'alloy'
      | 'ash'
      | 'ballad'
      | 'coral'
      | 'echo'
      | 'sage'
      | 'shimmer'
      | 'verse'
      | 'marin'
      | 'cedar'
      | (string & {})
      | { readonly id: string };
    /** Streams take only 'pcm16': 24 kHz, one channel, little-endian. */
    readonly format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16';
  };
  /** Text that most of the answer will repeat, such as a file that is to be changed. */
  readonly prediction: string;
  /** Lets models that search read the web; what they cite is `citations` of the generation's metadata. {} takes every default. */
  readonly webSearchOptions: {
    /** How much of the context the search may fill. Default 'medium'. */
    readonly searchContextSize?: 'low' | 'medium' | 'high' | undefined;
    readonly userLocation?:
      | {
          readonly city?: string | undefined;
          /** ISO 3166-1, two letters. */
          readonly country?: string | undefined;
          readonly region?: string | undefined;
          /** IANA name: 'Europe/Paris'. */
          readonly timezone?: string | undefined;
        }
      | undefined;
  };
  /** Headers of this request, over those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The form of the answer, for servers and cases that `outputSchema` does not serve. */
export type OpenAiResponseFormat =
  | { readonly type: 'text' }
  /** Some JSON object. The messages must ask for JSON, too. */
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly description?: string | undefined;
      /** Sent as it is, `strict` or not. */
      readonly schema: JsonSchema;
      /** Default false. */
      readonly strict?: boolean | undefined;
    };

/**
 * Portable and OpenAI's own options in one literal.
 *
 * @example
 * client.prompt('Hi').options(openAiChatOptions({ temperature: 0, reasoningEffort: 'low', seed: 7 }));
 */
export const openAiChatOptions: ChatOptionsFactory<OpenAiOptions> = chatOptionsFactory<OpenAiOptions>('openai');
