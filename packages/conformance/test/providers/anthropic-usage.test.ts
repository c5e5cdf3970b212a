// message_delta repeats the counts of message_start: they are one request's, and a turn's total counts each request once.
import { ChatClient } from '@vernal/client-chat';
import { type ChatResponse, fold, tool } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { expect, it } from 'vitest';

const input = { input_tokens: 27, cache_creation_input_tokens: 100, cache_read_input_tokens: 2400 };

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };

function streamed(block: Block, reason: string): MockExchange {
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  const usage = { ...input, output_tokens: 1 };
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { ...input, output_tokens: 47 } },
    { type: 'message_stop' },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return { headers: { 'content-type': 'text/event-stream' }, parts: lines };
}

function whole(block: Block, reason: string): MockExchange {
  const usage = { ...input, output_tokens: 47 };
  return { json: { id: 'm', type: 'message', role: 'assistant', content: [block], stop_reason: reason, usage } };
}

it.each(['call', 'stream'] as const)('a %s counts each request once', async (mode) => {
  const make = mode === 'call' ? whole : streamed;
  const call = (id: string): MockExchange => make({ type: 'tool_use', id, name: 'look', input: {} }, 'tool_use');
  const server = await startMockServer([call('a'), call('b'), make({ type: 'text', text: 'x' }, 'end_turn')]);
  try {
    const model = new AnthropicChatModel({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    const spec = ChatClient.create(model)
      .prompt('q')
      .tools(tool({ name: 'look', execute: () => 'seen' }));
    const response: ChatResponse =
      mode === 'call' ? await spec.call().chatResponse() : await fold(spec.stream().chatResponse());
    expect(response.metadata.usage).toMatchObject({
      promptTokens: 3 * 2527,
      completionTokens: 3 * 47,
      totalTokens: 3 * 2574,
      cacheReadTokens: 3 * 2400,
      cacheWriteTokens: 3 * 100,
    });
  } finally {
    await server.close();
  }
});
