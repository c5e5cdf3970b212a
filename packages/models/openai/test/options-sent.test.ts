import { Prompt, tool } from '@vernal/core';
import { openAiChatOptions } from '@vernal/model-openai';
import { describe, expect, it } from 'vitest';
import { type Body, serve } from './served-model.js';

type Options = Parameters<typeof openAiChatOptions>[0];

const look = tool({ name: 'look', description: 'Looks', execute: () => 'seen' });
const schema = { type: 'object', properties: {} };

const SENT: readonly (readonly [Options, Body])[] = [
  [{ model: 'gpt-5' }, { model: 'gpt-5' }],
  [
    { temperature: 0, topP: 0.5 },
    { temperature: 0, top_p: 0.5 },
  ],
  [
    { frequencyPenalty: 1, presencePenalty: -1 },
    { frequency_penalty: 1, presence_penalty: -1 },
  ],
  [{ stopSequences: ['a', 'b'] }, { stop: ['a', 'b'] }],
  [{ maxTokens: 9 }, { max_tokens: 9 }],
  [{ maxCompletionTokens: 7 }, { max_completion_tokens: 7 }],
  [{ maxTokens: 9, maxCompletionTokens: 7 }, { max_completion_tokens: 7 }],
  [{ n: 2 }, { n: 2 }],
  [{ seed: 7 }, { seed: 7 }],
  [
    { logprobs: true, topLogprobs: 3 },
    { logprobs: true, top_logprobs: 3 },
  ],
  [{ logitBias: { '50256': -100 } }, { logit_bias: { '50256': -100 } }],
  [{ reasoningEffort: 'max' }, { reasoning_effort: 'max' }],
  [{ verbosity: 'low' }, { verbosity: 'low' }],
  [{ serviceTier: 'flex' }, { service_tier: 'flex' }],
  [{ promptCacheKey: 'k' }, { prompt_cache_key: 'k' }],
  [{ promptCacheRetention: '24h' }, { prompt_cache_retention: '24h' }],
  [
    { promptCacheOptions: { mode: 'explicit', ttl: '30m' } },
    { prompt_cache_options: { mode: 'explicit', ttl: '30m' } },
  ],
  [{ promptCacheOptions: { mode: 'implicit', ttl: undefined } }, { prompt_cache_options: { mode: 'implicit' } }],
  [
    { store: true, metadata: { a: 'b' } },
    { store: true, metadata: { a: 'b' } },
  ],
  [
    { user: 'u', safetyIdentifier: 's' },
    { user: 'u', safety_identifier: 's' },
  ],
  [{ outputModalities: ['text', 'audio'] }, { modalities: ['text', 'audio'] }],
  [{ outputAudio: { voice: 'alloy', format: 'wav' } }, { audio: { voice: 'alloy', format: 'wav' } }],
  [{ outputAudio: { voice: { id: 'v1' }, format: 'mp3' } }, { audio: { voice: { id: 'v1' }, format: 'mp3' } }],
  [{ prediction: 'const a = 1;' }, { prediction: { type: 'content', content: 'const a = 1;' } }],
  [{ webSearchOptions: {} }, { web_search_options: {} }],
  [
    { webSearchOptions: { searchContextSize: 'low', userLocation: { country: 'FR', city: undefined } } },
    {
      web_search_options: {
        search_context_size: 'low',
        user_location: { type: 'approximate', approximate: { country: 'FR' } },
      },
    },
  ],
  [{ responseFormat: { type: 'text' } }, { response_format: { type: 'text' } }],
  [{ responseFormat: { type: 'json_object' } }, { response_format: { type: 'json_object' } }],
  [
    { responseFormat: { type: 'json_schema', name: 'film', description: 'd', schema, strict: true } },
    { response_format: { type: 'json_schema', json_schema: { name: 'film', description: 'd', schema, strict: true } } },
  ],
  [
    { outputSchema: schema, responseFormat: { type: 'text' } },
    { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } } },
  ],
  [{ extra: { top_k: 40, think: { deep: true } } }, { top_k: 40, think: { deep: true } }],
  [{ seed: 7, extra: { seed: 8 } }, { seed: 8 }],
  [{ toolChoice: 'required', parallelToolCalls: false }, {}],
  [{ headers: { 'x-a': 'b' } }, {}],
];

describe('options', () => {
  it.each(SENT)('%j', async (options, wanted) => {
    await using served = await serve();
    await served.model.call(new Prompt('q', openAiChatOptions(options)));
    const { model, messages: _messages, stream, ...rest } = served.sent();
    expect(stream).toBe(false);
    expect({ ...('model' in wanted ? { model } : {}), ...rest }).toEqual(wanted);
  });

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'look' }, { type: 'function', function: { name: 'look' } }],
  ] as const)('the choice of tools %j', async (toolChoice, sent) => {
    await using served = await serve();
    const options = openAiChatOptions({ tools: [look], toolChoice, parallelToolCalls: false });
    await served.model.call(new Prompt('q', options));
    expect(served.sent()).toMatchObject({
      tool_choice: sent,
      parallel_tool_calls: false,
      tools: [{ type: 'function' }],
    });
  });

  it.each([
    [{}, { include_usage: true }],
    [{ streamUsage: false }, undefined],
    [{ streamOptions: { includeObfuscation: false } }, { include_usage: true, include_obfuscation: false }],
    [{ streamUsage: true, streamOptions: { includeUsage: false } }, undefined],
    [{ streamUsage: false, streamOptions: { includeObfuscation: true } }, { include_obfuscation: true }],
    [{ extra: { stream_options: { continuous_usage_stats: true } } }, { continuous_usage_stats: true }],
  ] as const)('of a stream: %j', async (options: Options, sent) => {
    await using served = await serve();
    for await (const _ of served.model.stream(new Prompt('q', openAiChatOptions(options))));
    expect(served.sent()['stream_options']).toEqual(sent);
    await served.model.call(new Prompt('q', openAiChatOptions({ streamOptions: { includeUsage: true } })));
    expect(served.sent(1)).not.toHaveProperty('stream_options');
  });

  it('`extra` decides everything but whether the answer is streamed', async () => {
    await using served = await serve();
    await served.model.call(new Prompt('q', { extra: { stream: true } }));
    for await (const _ of served.model.stream(new Prompt('q', { extra: { stream: false } })));
    expect([served.sent(0)['stream'], served.sent(1)['stream']]).toEqual([false, true]);
  });

  it('headers of a request go over those of the connection, in a call and in a stream', async () => {
    await using served = await serve({}, { headers: { 'x-a': 'model', 'x-b': 'model' }, query: { v: '1' } });
    const prompt = new Prompt('q', openAiChatOptions({ headers: { 'X-A': 'request' } }));
    await served.model.call(prompt);
    for await (const _ of served.model.stream(prompt));
    await served.model.call(new Prompt('q'));
    expect(served.server.requests.map(({ headers, path }) => [headers['x-a'], headers['x-b'], path])).toEqual([
      ['request', 'model', '/v1/chat/completions?v=1'],
      ['request', 'model', '/v1/chat/completions?v=1'],
      ['model', 'model', '/v1/chat/completions?v=1'],
    ]);
  });

  it('topK is refused, or warned of where that is wanted', async () => {
    await using served = await serve();
    const prompt = new Prompt('q', { topK: 3 });
    await expect(served.model.call(prompt)).rejects.toMatchObject({
      code: 'unsupported_capability',
      subject: 'options.topK',
    });
    expect(served.server.requests).toHaveLength(0);
    await served.model.with({ onUnsupported: 'warn' }).call(prompt);
    expect(served.sent()).not.toHaveProperty('top_k');
  });
});
