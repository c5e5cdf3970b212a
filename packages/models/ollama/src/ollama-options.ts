import { type ChatOptionsFactory, chatOptionsFactory, type JsonSchema } from '@vernal/core';
import type { OllamaLoadOptions } from './ollama-load-options.js';

/**
 * What only Ollama has, beside the portable options. What is left out is the model's own setting, else the server's default.
 * Sources: `OllamaChatOptions` of Spring AI; https://docs.ollama.com/api/chat and https://docs.ollama.com/modelfile#parameter
 */
export interface OllamaOptions extends OllamaLoadOptions {
  /**
   * Lets a model that can think do so, or sets how much. Models that can think do so unless this is false; the levels are for models
   * that have them, such as gpt-oss.
   */
  readonly think: boolean | 'low' | 'medium' | 'high';
  /** How long the model stays loaded: '10m', or seconds; 0 unloads it after the answer, -1 keeps it for ever. Server's default '5m'. */
  readonly keepAlive: string | number;
  /** Form of the answer: 'json' promises JSON, a schema promises that shape. The portable `outputSchema` goes before it. */
  readonly format: 'json' | JsonSchema;
  /** Whether a prompt longer than the context loses its oldest messages. False: it is refused. Server's default true. */
  readonly truncate: boolean;
  /** Whether a conversation that reaches the end of the context while it is answered loses its beginning. False: the answer ends there. */
  readonly shift: boolean;
  /** Log probabilities of the tokens of the answer, as `logprobs` in the metadata of its generation; of a stream, of its last chunk. */
  readonly logprobs: boolean;
  /** How many of the likeliest tokens are given at each place, 0 to 20; needs `logprobs`. */
  readonly topLogprobs: number;

  /** Tokens of the prompt that are kept when a conversation loses its beginning. -1 keeps all. Server's default 4. */
  readonly numKeep: number;
  /** The same number gives the same answer to the same prompt. Server's default -1: drawn anew. */
  readonly seed: number;
  /** Most tokens of the answer; -1 sets no limit, -2 fills the context. Goes before the portable `maxTokens`. */
  readonly numPredict: number;
  /** Smallest probability of a token as a share of the likeliest one's, 0 to 1. Server's default 0. */
  readonly minP: number;
  /** Tail-free sampling; 1 switches it off. Older servers only. */
  readonly tfsZ: number;
  /** Locally typical sampling, 0 to 1; 1 switches it off. */
  readonly typicalP: number;
  /** How many tokens are looked back at to prevent repetition; 0 is none, -1 the whole context. Server's default 64. */
  readonly repeatLastN: number;
  /** How much repetition is punished: 1 is not at all. Server's default 1.1. */
  readonly repeatPenalty: number;
  /** Mirostat sampling: 0 is off, 1 Mirostat, 2 Mirostat 2.0. Older servers only. */
  readonly mirostat: 0 | 1 | 2;
  /** Balance of coherence and variety for Mirostat; lower is more coherent. Default 5. Older servers only. */
  readonly mirostatTau: number;
  /** How quickly Mirostat adapts. Default 0.1. Older servers only. */
  readonly mirostatEta: number;
  /** Whether line breaks count as repetition. Older servers only. */
  readonly penalizeNewline: boolean;
  /** Texts that end the answer. Goes before the portable `stopSequences`. */
  readonly stop: readonly string[];
}

/**
 * Portable and Ollama's own options in one literal.
 *
 * @example
 * client.prompt('Hi').options(ollamaChatOptions({ temperature: 0, numCtx: 8_192, seed: 7 }));
 */
export const ollamaChatOptions: ChatOptionsFactory<OllamaOptions> = chatOptionsFactory<OllamaOptions>('ollama');
