// What OpenAI tells beside the text; the fold of a stream holds what a call holds. Shapes of the answers:
// https://platform.openai.com/docs/api-reference/chat/object and …/chat/streaming
import type { ChatResponse } from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { askBothWays, type Body, serve } from './served-model.js';

const chunk = (choice: Body | undefined, more: Body = {}): Body => ({
  id: 'c1',
  model: 'm',
  choices: choice === undefined ? [] : [choice],
  ...more,
});
const piece = (delta: Body, more: Body = {}): Body => chunk({ index: 0, delta, finish_reason: null, ...more });
const end = (reason = 'stop'): Body => piece({}, { finish_reason: reason });
const whole = (message: Body, more: Body = {}, top: Body = {}): Body => ({
  id: 'c1',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }],
  ...top,
});

/** Both ways, which must agree in all they hold. */
async function bothWays(
  call: Body,
  stream: readonly Body[],
  headers: Record<string, string> = {},
): Promise<ChatResponse> {
  await using served = await serve({ call, stream, headers });
  const answer = await askBothWays(served);
  expect(answer.folded).toEqual(answer.whole);
  return answer.whole;
}

describe('an answer', () => {
  it('of several is several generations', async () => {
    const choice = (index: number, content: string): Body => ({ index, message: { content }, finish_reason: 'stop' });
    const { results } = await bothWays({ id: 'c1', model: 'm', choices: [choice(1, 'b'), choice(0, 'a')] }, [
      chunk({ index: 1, delta: { content: 'b' }, finish_reason: 'stop' }),
      chunk({ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }),
    ]);
    expect(results.map(({ index, output }) => [index, output.text])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
  });

  it('has its log probabilities together', async () => {
    const token = (text: string): Body => ({ token: text, logprob: -0.1, bytes: [97], top_logprobs: [] });
    const { result } = await bothWays(
      whole({ content: 'abc' }, { logprobs: { content: [token('a'), token('b'), token('c')], refusal: null } }),
      [
        piece({ content: '' }, { logprobs: null }),
        piece({ content: 'ab' }, { logprobs: { content: [token('a'), token('b')], refusal: null } }),
        piece({ content: 'c' }, { logprobs: { content: [token('c')], refusal: null } }),
        piece({}, { logprobs: null, finish_reason: 'stop' }),
      ],
    );
    expect(result?.metadata['logprobs']).toEqual({ content: [token('a'), token('b'), token('c')], refusal: null });
  });

  it('that is a refusal says so whole, as its text, too', async () => {
    const { result } = await bothWays(whole({ content: null, refusal: 'I cannot.' }), [
      piece({ role: 'assistant', content: '', refusal: null }),
      piece({ refusal: 'I ' }),
      piece({ refusal: 'cannot.' }),
      end(),
    ]);
    expect(result?.output.text).toBe('I cannot.');
    expect(result?.metadata['refusal']).toBe('I cannot.');
  });

  it('of a web search cites in the shape of all providers, and keeps what OpenAI said', async () => {
    const cited = (url: string, more: Body = {}): Body => ({
      type: 'url_citation',
      url_citation: { url, title: 'T', start_index: 0, end_index: 4, ...more },
    });
    const odd = cited('https://example.com/b', { title: '', start_index: -1 });
    const { result } = await bothWays(
      whole({ content: 'Text', annotations: [cited('https://example.com/a'), odd, { type: 'other' }] }),
      [
        piece({ content: 'Text' }),
        piece({ annotations: [cited('https://example.com/a')] }),
        piece({ annotations: [odd, { type: 'other' }] }),
        end(),
      ],
    );
    expect(result?.metadata['citations']).toEqual([
      { type: 'url_citation', url: 'https://example.com/a', title: 'T', start: 0, end: 4 },
      { type: 'url_citation', url: 'https://example.com/b', end: 4 },
    ]);
    expect(result?.metadata['annotations']).toHaveLength(3);
  });

  it.each([
    [{ citations: ['https://example.com/a', 7] }, [{ type: 'search_result', url: 'https://example.com/a' }]],
    [
      {
        citations: ['https://example.com/a'],
        search_results: [{ title: 'T', url: 'https://example.com/a', date: null }],
      },
      [{ type: 'search_result', title: 'T', url: 'https://example.com/a' }],
    ],
  ])('of Perplexity tells what it was made from: %j', async (found, citations) => {
    // Source: https://docs.perplexity.ai/api-reference/chat-completions-post
    const { metadata } = await bothWays(whole({ content: 'Text [1]' }, {}, found), [
      { ...piece({ content: 'Text [1]' }), ...found },
      { ...end(), ...found },
    ]);
    expect(metadata['citations']).toEqual(citations);
  });

  it('without annotations has none', async () => {
    const { result } = await bothWays(whole({ content: 'a', annotations: [] }), [piece({ content: 'a' }), end()]);
    expect(result?.metadata).toEqual({ finishReason: 'stop', nativeFinishReason: 'stop' });
  });

  it('tells the tier, the fingerprint, what moderation found, and what of the prompt was filtered', async () => {
    const top = { service_tier: 'flex', system_fingerprint: 'fp_1', moderation: { output: { flagged: false } } };
    const { metadata } = await bothWays(
      whole({ content: 'a' }, {}, { ...top, prompt_filter_results: [{ prompt_index: 0 }] }),
      [
        chunk(undefined, { prompt_filter_results: [{ prompt_index: 0 }] }),
        chunk({ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }, top),
      ],
    );
    expect(metadata).toMatchObject({
      serviceTier: 'flex',
      systemFingerprint: 'fp_1',
      moderation: { output: { flagged: false } },
      promptFilters: [{ prompt_index: 0 }],
    });
  });

  it('names the filters of Azure that took something out', async () => {
    // Source: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
    const content_filter_results = { hate: { filtered: true, severity: 'high' }, violence: { filtered: false } };
    const { result } = await bothWays(
      whole({ content: 'a' }, { finish_reason: 'content_filter', content_filter_results }),
      [piece({ content: 'a' }), piece({}, { finish_reason: 'content_filter', content_filter_results })],
    );
    expect(result?.metadata).toMatchObject({ finishReason: 'content_filter', contentFilters: ['hate'] });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['STOP', 'stop'],
    ['insufficient_system_resource', 'insufficient_system_resource'],
    ['constructor', 'constructor'],
  ])('that ends with %j ended with %j', async (native, reason) => {
    const { result } = await bothWays(whole({ content: 'a' }, { finish_reason: native }), [
      piece({ content: 'a' }),
      end(native),
    ]);
    expect(result?.metadata).toEqual({ finishReason: reason, nativeFinishReason: native });
  });

  it('counts its tokens, and keeps what else was counted as it came', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 32, audio_tokens: 5 },
      completion_tokens_details: {
        reasoning_tokens: 20,
        audio_tokens: 6,
        accepted_prediction_tokens: 3,
        rejected_prediction_tokens: 1,
      },
    };
    const { metadata } = await bothWays(whole({ content: 'a' }, {}, { usage }), [
      piece({ content: 'a' }),
      end(),
      chunk(undefined, { usage }),
    ]);
    expect(metadata.usage).toEqual({
      promptTokens: 100,
      completionTokens: 50,
      totalTokens: 150,
      cacheReadTokens: 64,
      cacheWriteTokens: 32,
      reasoningTokens: 20,
      native: usage,
    });
  });

  it('of DeepSeek tells of its cache under other names', async () => {
    // Source: https://api-docs.deepseek.com/guides/kv_cache
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 1,
      total_tokens: 10,
      prompt_cache_hit_tokens: 8,
      prompt_cache_miss_tokens: 1,
    };
    const { metadata } = await bothWays(whole({ content: 'a' }, {}, { usage }), [
      piece({ content: 'a' }),
      chunk(undefined, { usage }),
      end(),
    ]);
    expect(metadata.usage).toMatchObject({ promptTokens: 9, cacheReadTokens: 8 });
  });

  it.each([
    ['Moonshot', (usage: object) => ({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] })],
    [
      'Groq',
      (usage: object) => ({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { id: 'r', usage } }),
    ],
  ])('of %s counts its tokens in another place of the stream', async (_, last) => {
    const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
    const { metadata } = await bothWays(whole({ content: 'a' }, {}, { usage }), [piece({ content: 'a' }), last(usage)]);
    expect(metadata.usage).toEqual({ promptTokens: 9, completionTokens: 1, totalTokens: 10, native: usage });
  });

  it('brings the rate limits of its headers, whichever there are', async () => {
    // Source: https://platform.openai.com/docs/guides/rate-limits
    const { metadata } = await bothWays(whole({ content: 'a' }), [piece({ content: 'a' }), end()], {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m2.5s',
      'x-ratelimit-remaining-tokens': '990',
      'x-ratelimit-reset-tokens': '12ms',
      'x-ratelimit-limit-tokens': 'many',
    });
    expect(metadata.rateLimit).toEqual({
      requestsLimit: 60,
      requestsRemaining: 59,
      requestsResetMs: 62_500,
      tokensRemaining: 990,
      tokensResetMs: 12,
    });
    const azure = await bothWays(whole({ content: 'a' }), [piece({ content: 'a' }), end()], {
      'x-ratelimit-remaining-tokens': '990',
    });
    expect(azure.metadata.rateLimit).toEqual({ tokensRemaining: 990 });
  });

  it.each(['reasoning_content', 'reasoning'] as const)('keeps %s together and apart from the text', async (name) => {
    const { result } = await bothWays(whole({ content: 'a', [name]: 'so it is' }), [
      piece({ [name]: 'so ' }),
      piece({ [name]: 'it is' }),
      piece({ content: 'a' }),
      end(),
    ]);
    expect(result?.output).toMatchObject({ text: 'a', reasoning: [{ text: 'so it is', provider: 'openai' }] });
  });

  it('calls tools, and ends so whatever it says', async () => {
    const called = { id: 't1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } };
    const { result } = await bothWays(whole({ content: null, tool_calls: [called] }, { finish_reason: null }), [
      piece({ tool_calls: [{ index: 0, ...called, function: { name: 'look', arguments: '' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
    ]);
    expect(result?.output.toolCalls).toEqual([{ id: 't1', name: 'look', arguments: '{"a":1}' }]);
    expect(result?.metadata).toEqual({ finishReason: 'tool_calls' });
  });
});
