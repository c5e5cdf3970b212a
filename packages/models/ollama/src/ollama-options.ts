import { type ChatOptionsFactory, chatOptionsFactory } from '@vernal/core';

/** What only Ollama has. Sources: https://docs.ollama.com/api/chat and https://docs.ollama.com/modelfile#parameter */
export interface OllamaOptions {
  /** Lets a model that can think do so, or sets how much. */
  readonly think: boolean | 'low' | 'medium' | 'high';
  /** How long the model stays loaded: '10m', seconds, -1 for ever. */
  readonly keepAlive: string | number;
  /** Size of the context window in tokens. */
  readonly numCtx: number;
  readonly seed: number;
  readonly minP: number;
  readonly typicalP: number;
  readonly repeatLastN: number;
  readonly repeatPenalty: number;
  readonly numKeep: number;
  readonly numGpu: number;
  readonly numThread: number;
  readonly numBatch: number;
  readonly useMmap: boolean;
}

/**
 * Portable and Ollama's own options in one literal.
 *
 * @example
 * client.prompt('Hi').options(ollamaChatOptions({ temperature: 0, numCtx: 8_192, seed: 7 }));
 */
export const ollamaChatOptions: ChatOptionsFactory<OllamaOptions> = chatOptionsFactory<OllamaOptions>('ollama');
