import {
  assistantMessage,
  fold,
  media,
  Prompt,
  systemMessage,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { AnthropicChatModel, anthropicChatOptions } from '@vernal/model-anthropic';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(async () => {
  await server?.close();
});
async function sent(prompt: Prompt): Promise<Record<string, unknown>> {
  server = await startMockServer([anthropicMessagesWire.call(['ok'])]);
  await new AnthropicChatModel({ baseURL: server.url, maxRetries: 0 }).call(prompt);
  return server.requests[0]?.json as Record<string, unknown>;
}

describe('what is sent to Anthropic', () => {
  it("holds Anthropic's own options under its names", async () => {
    const look = tool({ name: 'look', execute: () => 1 });
    const options = anthropicChatOptions({
      thinking: { type: 'enabled', budgetTokens: 2000 },
      effort: 'low',
      serviceTier: 'standard_only',
      userId: 'u',
      disableParallelToolUse: true,
      tools: [look],
      toolChoice: 'required',
      topK: 3,
    });
    expect(await sent(new Prompt('hi', options))).toMatchObject({
      model: 'claude-haiku-4-5',
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { effort: 'low' },
      service_tier: 'standard_only',
      metadata: { user_id: 'u' },
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      top_k: 3,
    });
  });

  it('holds ids of tool calls that the API takes, each once, whichever provider made them', async () => {
    const round = (...ids: readonly string[]) => [
      assistantMessage({ toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })) }),
      toolResponseMessage(ids.map((id, i) => ({ id, name: 'look', result: `${id} ${i}` }))),
    ];
    const pairs = async (...rounds: readonly (readonly string[])[]): Promise<unknown> => {
      const { messages } = await sent(new Prompt([userMessage('q'), ...rounds.flatMap((ids) => round(...ids))]));
      await server?.close();
      const blocks = (messages as { content: Record<string, unknown>[] }[]).flatMap(({ content }) => content);
      return blocks.flatMap(({ type, id, tool_use_id, content }) =>
        type === 'tool_use' ? [id] : type === 'tool_result' ? [[tool_use_id, content]] : [],
      );
    };
    expect(await pairs(['toolu_1', 'a-b'])).toEqual(['toolu_1', 'a-b', ['toolu_1', 'toolu_1 0'], ['a-b', 'a-b 1']]);
    expect(await pairs(['f.add:0', 'f.add.0', '世'])).toEqual([
      ...['f_add_0', 'f_add_0_1', '_'],
      ...[
        ['f_add_0', 'f.add:0 0'],
        ['f_add_0_1', 'f.add.0 1'],
        ['_', '世 2'],
      ],
    ]);
    expect(await pairs(['call_0'], ['call_0', 'call_0'], ['call_0_1'])).toEqual([
      ...['call_0', ['call_0', 'call_0 0']],
      ...['call_0_1', 'call_0_2', ['call_0_1', 'call_0 0'], ['call_0_2', 'call_0 1']],
      ...['call_0_1_1', ['call_0_1_1', 'call_0_1 0']],
    ]);
    // An answer belongs to the newest call of its id, not to one that never had an answer.
    const [open] = round('a.0');
    const { messages } = await sent(new Prompt([userMessage('q'), ...(open ? [open] : []), ...round('a.0')]));
    expect(messages).toMatchObject([
      {},
      { content: [{ id: 'a_0' }, { id: 'a_0_1' }] },
      { content: [{ tool_use_id: 'a_0_1' }] },
    ]);
  });

  it('holds no texts of white space alone: the API refuses them', async () => {
    const { system, messages } = await sent(
      new Prompt([
        systemMessage(' \n'),
        userMessage('hi'),
        assistantMessage({ text: '\n\n', toolCalls: [{ id: 't', name: 'look', arguments: ' ' }] }),
        toolResponseMessage([{ id: 't', name: 'look', result: '\n' }]),
        userMessage(' '),
        assistantMessage('\t'),
      ]),
    );
    expect(system).toBeUndefined();
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
    ]);
  });

  it('holds no white space at the end of an answer that is to go on: the API refuses it', async () => {
    const begun = [userMessage('a list'), assistantMessage('One. '), userMessage('more'), assistantMessage('Two: \n')];
    const { messages } = await sent(new Prompt(begun));
    expect(messages).toMatchObject([{}, { content: [{ text: 'One. ' }] }, {}, { content: [{ text: 'Two:' }] }]);
  });

  it('puts system texts at the top, joins neighbours, and answers tools in the next message', async () => {
    const { system, messages } = await sent(
      new Prompt([
        systemMessage('a'),
        userMessage('look', {
          media: [media('image/png', Uint8Array.of(1)), media('application/pdf', 'https://example.com/a.pdf')],
        }),
        assistantMessage({
          text: 'well',
          toolCalls: [
            { id: '1', name: 'f', arguments: '' },
            { id: '2', name: 'g', arguments: '{"x":1}' },
          ],
        }),
        toolResponseMessage([
          { id: '1', name: 'f', result: 'r' },
          { id: '2', name: 'g', result: 'bad', isError: true },
        ]),
        userMessage('and?'),
        systemMessage('b'),
      ]),
    );
    expect(system).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQ==' } },
          { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
          { type: 'text', text: 'look' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'well' },
          { type: 'tool_use', id: '1', name: 'f', input: {} },
          { type: 'tool_use', id: '2', name: 'g', input: { x: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: 'r' },
          { type: 'tool_result', tool_use_id: '2', content: 'bad', is_error: true },
          { type: 'text', text: 'and?' },
        ],
      },
    ]);
  });

  it('sends thinking back with its signature, and not the reasoning of another provider', async () => {
    const { messages } = await sent(
      new Prompt([
        userMessage('q'),
        assistantMessage({
          text: 'a',
          reasoning: [
            { text: 'hm', signature: 's', provider: 'anthropic' },
            { redactedData: 'r', provider: 'anthropic' },
            { text: 'no signature', provider: 'anthropic' },
            { text: 'other', provider: 'openai' },
          ],
        }),
        userMessage('more'),
      ]),
    );
    expect((messages as unknown[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'redacted_thinking', data: 'r' },
        { type: 'text', text: 'a' },
      ],
    });
  });
});

describe('what comes from Anthropic', () => {
  const usage = { input_tokens: 27, cache_creation_input_tokens: 100, cache_read_input_tokens: 2400 };
  const counted = {
    promptTokens: 2527,
    completionTokens: 47,
    totalTokens: 2574,
    cacheReadTokens: 2400,
    cacheWriteTokens: 100,
  };

  it('usage: cached parts belong to the prompt, and repeated counters are not added up', async () => {
    const start = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      stop_reason: null,
      usage: { ...usage, output_tokens: 1 },
    };
    const event = (data: { readonly type: string }) => ({ event: data.type, data });
    server = await startMockServer([
      {
        parts: [
          event({ type: 'message_start', message: start } as { type: string }),
          event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
            type: string;
          }),
          event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } } as {
            type: string;
          }),
          event({
            type: 'message_delta',
            delta: { stop_reason: 'end_turn', stop_sequence: null },
            usage: { ...usage, output_tokens: 47 },
          } as { type: string }),
          event({ type: 'message_stop' }),
        ],
      },
      {
        json: {
          ...start,
          content: [{ type: 'text', text: 'x' }],
          stop_reason: 'end_turn',
          usage: { ...usage, output_tokens: 47 },
        },
      },
    ]);
    const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0 });
    expect((await fold(model.stream(new Prompt('hi')))).metadata.usage).toMatchObject(counted);
    expect((await model.call(new Prompt('hi'))).metadata.usage).toMatchObject(counted);
  });

  it('rate limits from the headers', async () => {
    const whole = anthropicMessagesWire.call(['ok']);
    const headers = {
      ...whole.headers,
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2020-01-01T00:00:00Z',
    };
    server = await startMockServer([{ ...whole, headers }]);
    const { metadata } = await new AnthropicChatModel({ baseURL: server.url, maxRetries: 0 }).call(new Prompt('hi'));
    expect(metadata.rateLimit).toEqual({ requestsLimit: 50, requestsRemaining: 49, requestsResetMs: 0 });
  });

  it('a missing key is refused at construction', () => {
    expect(() => new AnthropicChatModel()).toThrow(/apiKey/);
  });
});
