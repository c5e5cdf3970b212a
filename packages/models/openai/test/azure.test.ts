// Deployments at Azure. Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference
import { fold, Prompt } from '@vernal/core';
import { OpenAiChatModel, OpenAiEmbeddingModel } from '@vernal/model-openai';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire, openAiEmbeddingsWire } from '@vernal/testing/wires';
import { AzureOpenAI } from 'openai';
import { afterEach, beforeEach, expect, it } from 'vitest';

const API_VERSION = '2024-10-21';
let server: MockServer;
beforeEach(async () => {
  server = await startMockServer((request) => {
    if (request.path.includes('/embeddings')) return openAiEmbeddingsWire.call(request.json);
    return openAiChatWire.isStream(request) ? openAiChatWire.stream(['ok']) : openAiChatWire.call(['ok']);
  });
});
afterEach(() => server.close());

const prompt = new Prompt('q', { model: 'gpt-5-mini' });
const seen = () => server.requests.map(({ path, headers }) => [path, headers['api-key'], headers['authorization']]);

it("by the SDK's client for Azure, in a call, a stream and embeddings", async () => {
  const client = new AzureOpenAI({ endpoint: server.url, apiKey: 'key', apiVersion: API_VERSION, deployment: 'mine' });
  const chat = new OpenAiChatModel({ client });
  await chat.call(prompt);
  await fold(chat.stream(prompt));
  await new OpenAiEmbeddingModel({ client }).embed(['a']);
  expect(seen()).toEqual([
    [`/openai/deployments/mine/chat/completions?api-version=${API_VERSION}`, 'key', undefined],
    [`/openai/deployments/mine/chat/completions?api-version=${API_VERSION}`, 'key', undefined],
    [`/openai/deployments/mine/embeddings?api-version=${API_VERSION}`, 'key', undefined],
  ]);
});

it('by that client without a deployment, which is then the model', async () => {
  const client = new AzureOpenAI({ endpoint: server.url, apiKey: 'key', apiVersion: API_VERSION });
  await new OpenAiChatModel({ client }).call(prompt);
  expect(seen()[0]?.[0]).toBe(`/openai/deployments/gpt-5-mini/chat/completions?api-version=${API_VERSION}`);
});

it('by that client with another key', async () => {
  const client = new AzureOpenAI({ endpoint: server.url, apiKey: 'key', apiVersion: API_VERSION, deployment: 'mine' });
  const chat = new OpenAiChatModel({ client });
  await chat.with({ apiKey: 'other' }).call(prompt);
  await chat.call(prompt);
  const path = `/openai/deployments/mine/chat/completions?api-version=${API_VERSION}`;
  expect(seen()).toEqual([
    [path, 'other', undefined],
    [path, 'key', undefined],
  ]);
});

it('by that client and a token, and derived from it', async () => {
  const client = new AzureOpenAI({
    endpoint: server.url,
    azureADTokenProvider: async () => 'token',
    apiVersion: API_VERSION,
    deployment: 'mine',
  });
  const chat = new OpenAiChatModel({ client });
  await chat.with({ headers: { 'x-a': 'b' }, query: { more: '1' } }).call(prompt);
  await chat.call(prompt);
  const path = '/openai/deployments/mine/chat/completions';
  expect(seen()).toEqual([
    [`${path}?more=1&api-version=${API_VERSION}`, undefined, 'Bearer token'],
    [`${path}?api-version=${API_VERSION}`, undefined, 'Bearer token'],
  ]);
  expect(server.requests.map(({ headers }) => headers['x-a'])).toEqual(['b', undefined]);
});

it('by address, key header and version', async () => {
  const connection = {
    baseURL: `${server.url}/openai/deployments/mine`,
    headers: { 'api-key': 'key' },
    query: { 'api-version': API_VERSION },
  };
  const chat = new OpenAiChatModel(connection);
  await chat.call(prompt);
  await fold(chat.stream(prompt));
  await new OpenAiEmbeddingModel(connection).embed(['a']);
  expect(seen()).toEqual([
    [`/openai/deployments/mine/chat/completions?api-version=${API_VERSION}`, 'key', undefined],
    [`/openai/deployments/mine/chat/completions?api-version=${API_VERSION}`, 'key', undefined],
    [`/openai/deployments/mine/embeddings?api-version=${API_VERSION}`, 'key', undefined],
  ]);
});

it('by the address of its v1, where the key is a bearer as at OpenAI', async () => {
  await new OpenAiChatModel({ baseURL: `${server.url}/openai/v1/`, apiKey: 'key' }).call(prompt);
  expect(seen()).toEqual([['/openai/v1/chat/completions', undefined, 'Bearer key']]);
});

it.each([
  ['https://api.openai.com/v1', 'max_completion_tokens'],
  ['https://mine.openai.azure.com/openai/v1/', 'max_completion_tokens'],
  ['https://api.groq.com/openai/v1', 'max_tokens'],
  ['https://api.openai.com.example.org/v1', 'max_tokens'],
])('the limit of tokens at %s is %s, whether by address or by client', async (baseURL, name) => {
  const bodies: unknown[] = [];
  const transport: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return Response.json({ choices: [] });
  };
  const byAddress = new OpenAiChatModel({ baseURL, apiKey: 'k', fetch: transport });
  await byAddress.call(new Prompt('q', { maxTokens: 5 }));
  const client = new AzureOpenAI({ baseURL, apiKey: 'k', apiVersion: API_VERSION, fetch: transport });
  await new OpenAiChatModel({ client }).call(new Prompt('q', { maxTokens: 5 }));
  expect(bodies).toMatchObject([{ [name]: 5 }, { [name]: 5 }]);
});
