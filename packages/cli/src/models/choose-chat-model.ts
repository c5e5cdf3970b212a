import type { ChatModel, Logger } from '@vernal/core';
import { usageError } from '../usage-error.js';
import { addressSetting, type Environment, requireKey, setting } from './environment.js';
import { ollamaAddress, ollamaChatModelName } from './ollama-server.js';
import { type ChatProvider, chatProviders, type ModelName, modelName } from './provider-name.js';

/** Which chat model, and why that one. */
export interface ChatChoice {
  readonly provider: ChatProvider;
  readonly name: string;
  readonly reason: string;
}

const OPENAI = 'gpt-5-mini';
const ANTHROPIC = 'claude-haiku-4-5';
/** The embedded demonstration model. */
const LOCAL = 'extractive';

/** What an option names, `--model` unless another is said; else OPENAI_API_KEY or OPENAI_BASE_URL, ANTHROPIC_API_KEY, a running Ollama, else the embedded demonstration model. */
export async function chooseChatModel(
  wanted: string | undefined,
  env: Environment,
  signal: AbortSignal,
  option = 'model',
): Promise<ChatChoice> {
  if (wanted !== undefined) {
    const reason = `--${option} says so`;
    return { ...(await wantedModel(modelName(wanted, chatProviders, option), env, signal, option)), reason };
  }
  // Many servers that speak OpenAI's API want no key; whoever sets the address means to use it.
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) {
    if (setting(env, name)) return { provider: 'openai', name: OPENAI, reason: `${name} is set` };
  }
  if (setting(env, 'ANTHROPIC_API_KEY')) {
    return { provider: 'anthropic', name: ANTHROPIC, reason: 'ANTHROPIC_API_KEY is set' };
  }
  const address = ollamaAddress(env);
  const found = await ollamaChatModelName(address, signal);
  if (found !== undefined) return { provider: 'ollama', name: found, reason: `an Ollama server answers at ${address}` };
  return { provider: 'local', name: LOCAL, reason: 'no key is set and no Ollama server with a chat model answers' };
}

async function wantedModel(
  { provider, name }: ModelName<ChatProvider>,
  env: Environment,
  signal: AbortSignal,
  option: string,
): Promise<Omit<ChatChoice, 'reason'>> {
  switch (provider) {
    case 'openai':
      requireKey(env, 'OPENAI', `--${option} openai`);
      return { provider, name: name ?? OPENAI };
    case 'anthropic':
      requireKey(env, 'ANTHROPIC', `--${option} anthropic`);
      return { provider, name: name ?? ANTHROPIC };
    case 'ollama': {
      const address = ollamaAddress(env);
      const found = name ?? (await ollamaChatModelName(address, signal));
      if (found !== undefined) return { provider, name: found };
      throw usageError(
        `No Ollama server with a chat model answers at ${address}: start it, or set OLLAMA_HOST`,
        option,
      );
    }
    case 'local':
      if (name === undefined || name === LOCAL) return { provider, name: LOCAL };
      throw usageError(`There is no local model '${name}': write --${option} local`, option);
  }
}

/** Loads the provider's package only when it is the one. */
export async function createChatModel(
  { provider, name }: ChatChoice,
  env: Environment,
  logger: Logger,
): Promise<ChatModel> {
  const common = { defaultOptions: { model: name }, logger };
  switch (provider) {
    case 'openai': {
      const { OpenAiChatModel } = await import('@vernal/model-openai');
      const [apiKey, baseURL] = [setting(env, 'OPENAI_API_KEY'), addressSetting(env, 'OPENAI_BASE_URL')];
      return new OpenAiChatModel({ ...common, apiKey, baseURL });
    }
    case 'anthropic': {
      const { AnthropicChatModel } = await import('@vernal/model-anthropic');
      const [apiKey, baseURL] = [setting(env, 'ANTHROPIC_API_KEY'), addressSetting(env, 'ANTHROPIC_BASE_URL')];
      return new AnthropicChatModel({ ...common, apiKey, baseURL });
    }
    case 'ollama': {
      const { OllamaChatModel } = await import('@vernal/model-ollama');
      return new OllamaChatModel({ ...common, baseURL: ollamaAddress(env) });
    }
    case 'local': {
      const { ExtractiveChatModel } = await import('@vernal/model-local');
      return new ExtractiveChatModel();
    }
  }
}
