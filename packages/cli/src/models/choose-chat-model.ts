import type { ChatModel } from '@vernal/core';
import { usageError } from '../usage-error.js';
import { ollamaAddress, ollamaChatModelName } from './ollama-server.js';
import { chatProviders, type ModelName, modelName } from './provider-name.js';

type Env = Readonly<Record<string, string | undefined>>;
export type ChatProvider = (typeof chatProviders)[number];

/** Which chat model, and why that one. */
export interface ChatChoice {
  readonly provider: ChatProvider;
  readonly name: string;
  readonly reason: string;
}

const defaults: Readonly<Record<ChatProvider, string>> = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-haiku-4-5',
  ollama: '',
  local: 'extractive',
};
const given = (env: Env, name: string): boolean => (env[name] ?? '').trim() !== '';

/** `--model`, else OPENAI_API_KEY or OPENAI_BASE_URL, ANTHROPIC_API_KEY, a running Ollama, else the embedded demonstration model. */
export async function chooseChatModel(wanted: string | undefined, env: Env, signal?: AbortSignal): Promise<ChatChoice> {
  if (wanted !== undefined) return wantedModel(modelName(wanted, chatProviders, 'model'), env, signal);
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) {
    if (given(env, name)) return { provider: 'openai', name: defaults.openai, reason: `${name} is set` };
  }
  if (given(env, 'ANTHROPIC_API_KEY')) {
    return { provider: 'anthropic', name: defaults.anthropic, reason: 'ANTHROPIC_API_KEY is set' };
  }
  const address = ollamaAddress(env);
  const found = await ollamaChatModelName(address, signal);
  if (found !== undefined) return { provider: 'ollama', name: found, reason: `an Ollama server answers at ${address}` };
  return { provider: 'local', name: defaults.local, reason: 'no key is set and no Ollama server answers' };
}

async function wantedModel(
  { provider, name }: ModelName<ChatProvider>,
  env: Env,
  signal?: AbortSignal,
): Promise<ChatChoice> {
  const reason = '--model says so';
  if (provider === 'ollama' && name === undefined) {
    const found = await ollamaChatModelName(ollamaAddress(env), signal);
    if (found === undefined) {
      throw usageError(
        `No Ollama server with a chat model answers at ${ollamaAddress(env)}: start it, or set OLLAMA_HOST`,
        'model',
      );
    }
    return { provider, name: found, reason };
  }
  if (provider === 'openai' && !given(env, 'OPENAI_API_KEY') && !given(env, 'OPENAI_BASE_URL')) {
    throw usageError(
      '--model openai needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that wants none',
      'model',
    );
  }
  if (provider === 'anthropic' && !given(env, 'ANTHROPIC_API_KEY') && !given(env, 'ANTHROPIC_BASE_URL')) {
    throw usageError('--model anthropic needs a key: set ANTHROPIC_API_KEY', 'model');
  }
  return { provider, name: name ?? defaults[provider], reason };
}

/** Loads the provider's package only when it is the one. */
export async function createChatModel({ provider, name }: ChatChoice, env: Env): Promise<ChatModel> {
  const value = (key: string): string | undefined => (given(env, key) ? env[key]?.trim() : undefined);
  switch (provider) {
    case 'openai': {
      const { OpenAiChatModel } = await import('@vernal/model-openai');
      return new OpenAiChatModel({
        apiKey: value('OPENAI_API_KEY'),
        baseURL: value('OPENAI_BASE_URL'),
        defaultOptions: { model: name },
      });
    }
    case 'anthropic': {
      const { AnthropicChatModel } = await import('@vernal/model-anthropic');
      return new AnthropicChatModel({
        apiKey: value('ANTHROPIC_API_KEY'),
        baseURL: value('ANTHROPIC_BASE_URL'),
        defaultOptions: { model: name },
      });
    }
    case 'ollama': {
      const { OllamaChatModel } = await import('@vernal/model-ollama');
      return new OllamaChatModel({ baseURL: ollamaAddress(env), defaultOptions: { model: name } });
    }
    case 'local': {
      if (name !== defaults.local) throw usageError(`There is no local model '${name}': write --model local`, 'model');
      const { ExtractiveChatModel } = await import('@vernal/model-local');
      return new ExtractiveChatModel();
    }
  }
}
