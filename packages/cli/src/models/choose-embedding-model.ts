import type { EmbeddingModel } from '@vernal/core';
import { usageError } from '../usage-error.js';
import { ollamaAddress } from './ollama-server.js';
import { embeddingProviders, modelName } from './provider-name.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface EmbeddingChoice {
  readonly provider: (typeof embeddingProviders)[number];
  readonly name: string;
  readonly reason: string;
}

/** The embedded model unless `--embedding-model` says otherwise: a store then fits every chat model, and documents stay on the machine. */
export function chooseEmbeddingModel(wanted: string | undefined): EmbeddingChoice {
  if (wanted === undefined) return { provider: 'local', name: 'words', reason: 'it is the default' };
  const { provider, name } = modelName(wanted, embeddingProviders, 'embedding-model');
  if (provider === 'ollama' && name === undefined) {
    throw usageError(
      '--embedding-model ollama needs a name: write ollama:nomic-embed-text, for example',
      'embedding-model',
    );
  }
  const fallback = provider === 'openai' ? 'text-embedding-3-small' : 'words';
  if (provider === 'local' && name !== undefined && name !== 'words') {
    throw usageError(`There is no local embedding model '${name}': write --embedding-model local`, 'embedding-model');
  }
  return { provider, name: name ?? fallback, reason: '--embedding-model says so' };
}

export async function createEmbeddingModel({ provider, name }: EmbeddingChoice, env: Env): Promise<EmbeddingModel> {
  const defaultOptions = { model: name };
  switch (provider) {
    case 'openai': {
      const { OpenAiEmbeddingModel } = await import('@vernal/model-openai');
      const apiKey = env['OPENAI_API_KEY']?.trim() || undefined;
      const baseURL = env['OPENAI_BASE_URL']?.trim() || undefined;
      if (apiKey === undefined && baseURL === undefined) {
        throw usageError('--embedding-model openai needs a key: set OPENAI_API_KEY', 'embedding-model');
      }
      return new OpenAiEmbeddingModel({ apiKey, baseURL, defaultOptions });
    }
    case 'ollama': {
      const { OllamaEmbeddingModel } = await import('@vernal/model-ollama');
      return new OllamaEmbeddingModel({ baseURL: ollamaAddress(env), defaultOptions });
    }
    case 'local': {
      const { LocalEmbeddingModel } = await import('@vernal/model-local');
      return new LocalEmbeddingModel();
    }
  }
}
