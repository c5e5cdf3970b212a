import { type EmbeddingOptions, overlayChatOptions, type Settings } from '@vernal/core';
import type { OllamaLoadOptions } from './ollama-load-options.js';

/** What only Ollama has for embeddings. Sources: `OllamaEmbeddingOptions` of Spring AI; https://docs.ollama.com/api/embed */
export interface OllamaEmbeddingOptions extends OllamaLoadOptions {
  /** Whether a text longer than the model's context is cut. Default false here, unlike the server's own: it is refused. */
  readonly truncate: boolean;
  /** How long the model stays loaded: '10m', or seconds; 0 unloads it afterwards, -1 keeps it for ever. Server's default '5m'. */
  readonly keepAlive: string | number;
}

/**
 * Portable and Ollama's own embedding options in one literal.
 *
 * @example
 * new OllamaEmbeddingModel({ defaultOptions: ollamaEmbeddingOptions({ model: 'nomic-embed-text', keepAlive: '1h' }) });
 */
export function ollamaEmbeddingOptions(options: EmbeddingOptions & Settings<OllamaEmbeddingOptions>): EmbeddingOptions {
  const { model, dimensions, providerOptions, ...own } = options;
  const portable: EmbeddingOptions = {
    ...(model === undefined ? {} : { model }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  if (given.length === 0) return portable;
  // One rule merges options of every kind; only the names of the portable fields differ.
  return overlayChatOptions(portable, { providerOptions: { ollama: Object.fromEntries(given) } }) as EmbeddingOptions;
}
