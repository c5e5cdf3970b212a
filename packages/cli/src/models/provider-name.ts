import { usageError } from '../usage-error.js';

export const chatProviders = ['openai', 'anthropic', 'ollama', 'local'] as const;
export const embeddingProviders = ['openai', 'ollama', 'local'] as const;

export type ChatProvider = (typeof chatProviders)[number];
export type EmbeddingProvider = (typeof embeddingProviders)[number];

export interface ModelName<Provider extends string> {
  readonly provider: Provider;
  readonly name: string | undefined;
}

/** Reads 'provider:name' or 'provider'. The name may hold colons, as Ollama's do. */
export function modelName<Provider extends string>(
  text: string,
  providers: readonly Provider[],
  option: string,
): ModelName<Provider> {
  const colon = text.indexOf(':');
  const wanted = (colon === -1 ? text : text.slice(0, colon)).trim().toLowerCase();
  const provider = providers.find((one) => one === wanted);
  if (provider === undefined) {
    const examples = providers.map((one) => (one === 'local' ? one : `${one}:name`)).join(', ');
    throw usageError(`There is no provider '${wanted}' for --${option}: write one of ${examples}`, option);
  }
  const name = colon === -1 ? undefined : text.slice(colon + 1).trim();
  if (name === '') {
    throw usageError(`--${option} ${wanted}: has no name after the colon: write one, or leave the colon out`, option);
  }
  return { provider, name };
}
