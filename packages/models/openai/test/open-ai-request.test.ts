import { assistantMessage, media, Prompt, tool, userMessage } from '@vernal/core';
import {
  OpenAiChatModel,
  type OpenAiChatModelOptions,
  OpenAiEmbeddingModel,
  openAiChatOptions,
} from '@vernal/model-openai';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire, openAiEmbeddingsWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function sent(prompt: Prompt, options: OpenAiChatModelOptions = {}): Promise<Record<string, unknown>> {
  server = await startMockServer([openAiChatWire.call(['ok'])]);
  await new OpenAiChatModel({ baseURL: `${server.url}/v1`, maxRetries: 0, ...options }).call(prompt);
  return server.requests[0]?.json as Record<string, unknown>;
}

describe('what is sent to OpenAI', () => {
  it("holds OpenAI's own options under its names", async () => {
    const options = openAiChatOptions({
      model: 'gpt-5',
      seed: 7,
      n: 2,
      reasoningEffort: 'low',
      verbosity: 'high',
      serviceTier: 'flex',
      promptCacheKey: 'k',
      safetyIdentifier: 's',
      store: true,
      metadata: { a: 'b' },
      user: 'u',
      logitBias: { '50256': -100 },
      logprobs: true,
      topLogprobs: 3,
      responseFormat: { type: 'json_object' },
    });
    expect(await sent(new Prompt('hi', options))).toMatchObject({
      model: 'gpt-5',
      seed: 7,
      n: 2,
      reasoning_effort: 'low',
      verbosity: 'high',
      service_tier: 'flex',
      prompt_cache_key: 'k',
      safety_identifier: 's',
      store: true,
      metadata: { a: 'b' },
      user: 'u',
      logit_bias: { '50256': -100 },
      logprobs: true,
      top_logprobs: 3,
      response_format: { type: 'json_object' },
    });
  });

  it('holds the limit of tokens under the name that the server knows', async () => {
    const prompt = new Prompt('hi', { maxTokens: 9 });
    expect(await sent(prompt)).toMatchObject({ max_tokens: 9 });
    await server?.close();
    expect(await sent(prompt, { maxTokensParameter: 'max_completion_tokens' })).toMatchObject({
      max_completion_tokens: 9,
    });
  });

  it('holds tools, strict when asked for, and the choice of one', async () => {
    const look = tool({ name: 'look', description: 'Looks', execute: () => 'seen' });
    const options = openAiChatOptions({
      tools: [look],
      toolChoice: { tool: 'look' },
      strict: true,
      parallelToolCalls: false,
    });
    expect(await sent(new Prompt('hi', options))).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', strict: true } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
      parallel_tool_calls: false,
    });
  });

  it('holds images, sound and PDF beside the text', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const message = userMessage('look', {
      media: [
        media('image/png', bytes),
        media('image/jpeg', 'https://example.com/a.jpg'),
        media('audio/wav', bytes),
        media('application/pdf', bytes, { name: 'a' }),
        media('application/pdf', bytes, { name: 'b.PDF' }),
      ],
    });
    const { messages } = await sent(new Prompt([message]));
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
          { type: 'input_audio', input_audio: { data: 'AQID', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AQID' } },
          { type: 'file', file: { filename: 'b.PDF', file_data: 'data:application/pdf;base64,AQID' } },
        ],
      },
    ]);
  });

  it('holds blank arguments of a call as an object', async () => {
    const toolCalls = ['', ' \n', '{"a":1}'].map((text, at) => ({ id: `c${at}`, name: 'look', arguments: text }));
    const { messages } = await sent(new Prompt([assistantMessage({ toolCalls })]));
    expect(messages).toMatchObject([
      { tool_calls: ['{}', '{}', '{"a":1}'].map((text) => ({ function: { arguments: text } })) },
    ]);
  });

  it('holds reasoning where the server wants it back, but never that of another provider', async () => {
    const reasoning = [
      { text: 'foreign', provider: 'anthropic' },
      { text: 'own', provider: 'openai' },
      { text: ' and old' },
    ];
    const { messages } = await sent(new Prompt([assistantMessage({ text: 'a', reasoning })]), {
      replayReasoning: true,
    });
    expect(messages).toEqual([{ role: 'assistant', content: 'a', reasoning_content: 'own and old' }]);
  });

  it('refuses what OpenAI would refuse, with the fix', async () => {
    await expect(sent(new Prompt('hi', { tools: [tool({ name: 'a.b', execute: () => 1 })] }))).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'tools',
    });
    await server?.close();
    await expect(sent(new Prompt('hi', { outputSchema: { type: 'array' } }))).rejects.toMatchObject({
      code: 'unsupported_capability',
    });
    expect(() => new OpenAiChatModel()).toThrow(/apiKey/);
    expect(() => new OpenAiEmbeddingModel({ apiKey: ' ' })).toThrow(/apiKey/);
  });

  it('keeps the rate limits of the headers, and the words of the provider only when asked for', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m2.5s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '990',
      'x-ratelimit-reset-tokens': '12ms',
    };
    const whole = openAiChatWire.call(['ok']);
    const refusal = {
      status: 400,
      json: { error: { message: 'your words', code: 'unknown_parameter', param: 'foo' } },
    };
    server = await startMockServer([{ ...whole, headers: { ...whole.headers, ...headers } }, refusal, refusal]);
    const at = { baseURL: `${server.url}/v1`, maxRetries: 0 };
    const response = await new OpenAiChatModel(at).call(new Prompt('hi'));
    expect(response.metadata.rateLimit).toEqual({
      requestsLimit: 60,
      requestsRemaining: 59,
      requestsResetMs: 62_500,
      tokensLimit: 1000,
      tokensRemaining: 990,
      tokensResetMs: 12,
    });
    const silent = await new OpenAiChatModel(at).call(new Prompt('hi')).catch((error: unknown) => error);
    expect(silent).toMatchObject({
      code: 'model_bad_request',
      details: { provider_code: 'unknown_parameter', provider_param: 'foo' },
    });
    expect(String(silent)).not.toContain('your words');
    await expect(new OpenAiChatModel({ ...at, providerMessages: true }).call(new Prompt('hi'))).rejects.toThrow(
      'your words',
    );
  });

  it('asks for vectors as numbers, of the size that is wanted', async () => {
    server = await startMockServer((request) => openAiEmbeddingsWire.call(request.json));
    const model = new OpenAiEmbeddingModel({ baseURL: `${server.url}/v1` });
    await model.embed(['a'], { dimensions: 64 });
    expect(server.requests[0]?.json).toMatchObject({
      model: 'text-embedding-3-small',
      input: ['a'],
      encoding_format: 'float',
      dimensions: 64,
    });
    expect(await model.dimensions()).toBe(1536);
    expect(server.requests).toHaveLength(1);
  });
});
