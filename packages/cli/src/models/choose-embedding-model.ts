import type { EmbeddingModel, Logger } from '@vernal/core';
import { usageError } from '../usage-error.js';
import { addressSetting, type Environment, requireKey, setting } from './environment.js';
import { ollamaAddress } from './ollama-server.js';
import { type EmbeddingProvider, embeddingProviders, modelName } from './provider-name.js';

/** Which embedding model, and why that one. */
export interface EmbeddingChoice {
  readonly provider: EmbeddingProvider;
  readonly name: string;
  readonly reason: string;
}

/** The embedded model. */
const LOCAL = 'words';

/** The embedded model unless `--embedding-model` says otherwise: a store then fits every chat model, and documents stay on the machine. */
export function chooseEmbeddingModel(wanted: string | undefined, env: Environment): EmbeddingChoice {
  const option = 'embedding-model';
  if (wanted === undefined) return { provider: 'local', name: LOCAL, reason: 'it is the default' };
  const { provider, name } = modelName(wanted, embeddingProviders, option);
  const reason = `--${option} says so`;
  switch (provider) {
    case 'openai':
      requireKey(env, 'OPENAI', `--${option} openai`);
      return { provider, name: name ?? 'text-embedding-3-small', reason };
    case 'ollama':
      if (name !== undefined) return { provider, name, reason };
      throw usageError(`--${option} ollama needs a name: write ollama:nomic-embed-text, for example`, option);
    case 'local':
      if (name === undefined || name === LOCAL) return { provider, name: LOCAL, reason };
      throw usageError(`There is no local embedding model '${name}': write --${option} local`, option);
  }
}

/** Loads the provider's package only when it is the one. */
export async function createEmbeddingModel(
  { provider, name }: EmbeddingChoice,
  env: Environment,
  logger: Logger,
): Promise<EmbeddingModel> {
  const common = { defaultOptions: { model: name }, logger };
  switch (provider) {
    case 'openai': {
      const { OpenAiEmbeddingModel } = await import('@vernal/model-openai');
      const [apiKey, baseURL] = [setting(env, 'OPENAI_API_KEY'), addressSetting(env, 'OPENAI_BASE_URL')];
      return new OpenAiEmbeddingModel({ ...common, apiKey, baseURL });
    }
    case 'ollama': {
      const { OllamaEmbeddingModel } = await import('@vernal/model-ollama');
      return new OllamaEmbeddingModel({ ...common, baseURL: ollamaAddress(env) });
    }
    case 'local': {
      const { LocalEmbeddingModel } = await import('@vernal/model-local');
      return new LocalEmbeddingModel({ logger });
    }
  }
}
