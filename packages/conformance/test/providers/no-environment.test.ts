// The SDKs of providers read the environment for what they were not handed. The models hand them everything.
import type { ChatModel, EmbeddingModel } from '@vernal/core';
import { fold, Prompt } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel, OpenAiEmbeddingModel } from '@vernal/model-openai';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';

const FOREIGN = 'https://from-environment.example';

/** What the SDKs look for. Not the two of custom headers: that they are read is a limit that the READMEs name. */
const NAMES = [
  'OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_ORG_ID',
  'OPENAI_PROJECT_ID',
  'OPENAI_WEBHOOK_SECRET',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_ENVIRONMENT_ID',
  'ANTHROPIC_ENVIRONMENT_KEY',
  'ANTHROPIC_FEDERATION_RULE_ID',
  'ANTHROPIC_IDENTITY_TOKEN',
  'ANTHROPIC_ORGANIZATION_ID',
  'ANTHROPIC_SCOPE',
  'ANTHROPIC_SERVICE_ACCOUNT_ID',
  'ANTHROPIC_SESSION_ID',
  'ANTHROPIC_WEBHOOK_SIGNING_KEY',
  'ANTHROPIC_WORKSPACE_ID',
  'ANTHROPIC_WORK_ID',
  'ANTHROPIC_WORK_SECRET',
  'OLLAMA_HOST',
  'OLLAMA_API_KEY',
];

let written: readonly MockInstance[] = [];
beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, FOREIGN);
  vi.stubEnv('OPENAI_LOG', 'debug');
  vi.stubEnv('ANTHROPIC_LOG', 'debug');
  written = (['debug', 'info', 'log', 'warn', 'error'] as const).map((method) => vi.spyOn(globalThis.console, method));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const asked: { readonly url: string; readonly sent: string }[] = [];
/** Notes what is asked for, and refuses it. */
const noting: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  asked.push({ url: request.url, sent: `${[...request.headers].join('\n')}\n${await request.text()}` });
  return new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } });
};
const options = { fetch: noting, defaultOptions: { model: 'm' } };

describe.each<[string, string, (apiKey: string) => ChatModel | EmbeddingModel]>([
  ['OpenAiChatModel', 'https://api.openai.com/', (apiKey) => new OpenAiChatModel({ ...options, apiKey })],
  ['OpenAiEmbeddingModel', 'https://api.openai.com/', (apiKey) => new OpenAiEmbeddingModel({ ...options, apiKey })],
  ['AnthropicChatModel', 'https://api.anthropic.com/', (apiKey) => new AnthropicChatModel({ ...options, apiKey })],
  ['OllamaChatModel', 'http://127.0.0.1:11434/', () => new OllamaChatModel(options)],
])('%s', (_, address, make) => {
  it('takes no key, address, organization or log level from the environment', async () => {
    asked.length = 0;
    const model = make('own key');
    const refused = { code: 'model_bad_request' };
    if ('embed' in model) await expect(model.embed(['a'])).rejects.toMatchObject(refused);
    else {
      await expect(model.call(new Prompt('q'))).rejects.toMatchObject(refused);
      await expect(fold(model.stream(new Prompt('q')))).rejects.toMatchObject(refused);
    }
    expect(asked.length).toBeGreaterThan(0);
    for (const { url, sent } of asked) {
      expect(url.startsWith(address)).toBe(true);
      expect(sent).not.toContain('from-environment');
    }
    for (const one of written) expect(one).not.toHaveBeenCalled();
  });
});

it('a key in the environment is none', () => {
  for (const make of [OpenAiChatModel, OpenAiEmbeddingModel, AnthropicChatModel])
    expect(() => new make()).toThrow(/apiKey/);
});
