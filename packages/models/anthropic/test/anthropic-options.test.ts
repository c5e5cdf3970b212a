import { Prompt, systemMessage, tool, userMessage } from '@vernal/core';
import { AnthropicChatModel, anthropicChatOptions } from '@vernal/model-anthropic';
import { startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { answered, exchanged, streamed, text, WAYS, whole } from './answers.js';

type Options = Parameters<typeof anthropicChatOptions>[0];

const ask = (options: Options): Prompt => new Prompt('q', anthropicChatOptions(options));
const look = tool({ name: 'look', execute: () => 1 });

describe('options in the request', () => {
  it.each([
    [{ type: 'disabled' }, { type: 'disabled' }],
    [{ type: 'adaptive' }, { type: 'adaptive' }],
    [
      { type: 'adaptive', display: 'omitted' },
      { type: 'adaptive', display: 'omitted' },
    ],
    [
      { type: 'enabled', budgetTokens: 2000, display: 'summarized' },
      { type: 'enabled', budget_tokens: 2000, display: 'summarized' },
    ],
  ] as const)('thinking %j', async (thinking, sent) => {
    expect((await exchanged(ask({ thinking }))).body['thinking']).toEqual(sent);
  });

  it.each([
    [{ toolChoice: 'auto' }, { type: 'auto' }],
    [{ toolChoice: 'none', disableParallelToolUse: true }, { type: 'none' }],
    [
      { toolChoice: 'required', disableParallelToolUse: true },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [
      { toolChoice: { tool: 'look' }, disableParallelToolUse: false },
      { type: 'tool', name: 'look', disable_parallel_tool_use: false },
    ],
    [{ disableParallelToolUse: true }, { type: 'auto', disable_parallel_tool_use: true }],
    [{}, undefined],
  ] as const)('tool choice %j', async (options, sent) => {
    expect((await exchanged(ask({ tools: [look], ...options }))).body['tool_choice']).toEqual(sent);
  });

  it('effort and a schema share the output configuration, and references stay', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: [] };
    const outputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { node },
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      required: ['root'],
    };
    const { body } = await exchanged(ask({ effort: 'max', outputSchema }));
    expect(body['output_config']).toEqual({
      effort: 'max',
      format: {
        type: 'json_schema',
        schema: {
          $defs: { node: { ...node, additionalProperties: false } },
          type: 'object',
          properties: { root: { $ref: '#/$defs/node' } },
          required: ['root'],
          additionalProperties: false,
        },
      },
    });
  });

  it('limits, tier, region and user; what is extra goes in as it is', async () => {
    const { body } = await exchanged(
      ask({
        model: 'claude-opus-5',
        maxTokens: 9,
        serviceTier: 'standard_only',
        inferenceGeo: 'us',
        userId: 'u-1',
        extra: { speed: 'fast', metadata: { user_id: 'u-2' } },
      }),
    );
    expect(body).toMatchObject({
      model: 'claude-opus-5',
      max_tokens: 9,
      service_tier: 'standard_only',
      inference_geo: 'us',
      speed: 'fast',
      metadata: { user_id: 'u-2' },
    });
  });

  it('nothing that was not asked for', async () => {
    const { body } = await exchanged(new Prompt([systemMessage('s'), userMessage('q')]));
    expect(body).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 4096,
      system: [{ type: 'text', text: 's' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
      stream: false,
    });
  });

  it('a null takes a default away', async () => {
    const defaultOptions = anthropicChatOptions({ effort: 'low', serviceTier: 'auto' });
    const { body } = await exchanged(ask({ effort: null }), undefined, { defaultOptions });
    expect(body['output_config']).toBeUndefined();
    expect(body['service_tier']).toBe('auto');
  });
});

describe('headers of a request', () => {
  const connection = { headers: { 'x-team': 'a', 'x-kept': 'k', 'Anthropic-Beta': 'one' } };

  it.each(WAYS)('go over those of the connection, in a %s', async (way) => {
    const answer = way === 'call' ? undefined : streamed([text('ok')]);
    const { request } = await exchanged(ask({ headers: { 'X-Team': 'b', 'x-trace': 't' } }), answer, connection);
    expect(request.headers).toMatchObject({
      'x-team': 'b',
      'x-kept': 'k',
      'x-trace': 't',
      'anthropic-beta': 'one',
    });
  });

  it.each<[string, Options, string]>([
    ['those of the connection', { betas: ['two', 'one'] }, 'one,two'],
    ['those of the request', { betas: ['two'], headers: { 'ANTHROPIC-BETA': 'x, y' } }, 'x,y,two'],
  ])('betas are added to %s', async (_, options, sent) => {
    const { request } = await exchanged(ask(options), undefined, connection);
    expect(request.headers['anthropic-beta']).toBe(sent);
  });
});

describe('what options do to answers', () => {
  it('thinking that is not shown keeps its signature, and goes back', async () => {
    const both = await answered([{ type: 'thinking', thinking: '', signature: 'sig' }, text('ok')]);
    expect(both.stream).toEqual(both.call);
    const { output } = both.call.result ?? {};
    expect(output?.reasoning).toMatchObject([{ signature: 'sig', provider: 'anthropic' }]);
    const { body } = await exchanged(new Prompt([userMessage('q'), ...(output ? [output] : []), userMessage('more')]));
    expect((body['messages'] as object[])[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: '', signature: 'sig' }, text('ok')],
    });
  });

  it('tier, region and thinking tokens are in the usage', async () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 5 },
      service_tier: 'priority',
      inference_geo: 'us',
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      cache_read_input_tokens: null,
    };
    const both = await answered([text('ok')], { usage });
    expect(both.stream).toEqual(both.call);
    expect(both.call.metadata.usage).toMatchObject({ promptTokens: 3, completionTokens: 9, reasoningTokens: 5 });
    expect(both.call.metadata.usage.native).toMatchObject({ service_tier: 'priority', inference_geo: 'us' });
  });

  it('a client of the SDK without a time-out asks for any number of tokens', async () => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    await using server = await startMockServer([whole([text('ok')])]);
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
    const response = await new AnthropicChatModel({ client }).call(ask({ maxTokens: 64_000 }));
    expect(response.result?.output.text).toBe('ok');
  });
});
