import Anthropic from '@anthropic-ai/sdk';
import { startMockServer } from '@vernal/testing/mock-server';
import type { ChatModelWire } from '@vernal/testing/wires';
import {
  anthropicMessagesWire,
  ollamaChatWire,
  ollamaEmbedWire,
  openAiChatWire,
  openAiEmbeddingsWire,
  WIRE_SECRET,
} from '@vernal/testing/wires';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';

const usage = { promptTokens: 2527, completionTokens: 47, cacheReadTokens: 2400, cacheWriteTokens: 100 };
const step = {
  text: 'It räins €.',
  reasoning: 'hm, well',
  toolCalls: [
    { name: 'weather', arguments: { city: 'Delft' } },
    { id: 'second', name: 'now', arguments: '' },
  ],
  usage,
} as const;
const weather = { type: 'function', function: { name: 'weather', parameters: {} } } as const;

describe("OpenAI's own SDK understands the wire", () => {
  it('a whole answer', async () => {
    await using server = await startMockServer([openAiChatWire.call([step])]);
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k', maxRetries: 0 });
    const answer = await client.chat.completions.create({
      model: 'm',
      messages: [
        { role: 'system', content: 'be terse' },
        { role: 'user', content: 'hi' },
      ],
      temperature: 0.5,
      max_completion_tokens: 9,
      stop: ['END'],
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    });
    expect(answer.choices[0]?.message).toMatchObject({ content: 'It räins €.', reasoning_content: 'hm, well' });
    const calls = answer.choices[0]?.message.tool_calls?.map((call) =>
      call.type === 'function' ? call.function : call,
    );
    expect(calls).toEqual([
      { name: 'weather', arguments: '{"city":"Delft"}' },
      { name: 'now', arguments: '' },
    ]);
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
    expect(answer.usage?.prompt_tokens_details?.cached_tokens).toBe(2400);
    const request = openAiChatWire.request(server.requests[0]?.json);
    expect(request.messages.map((message) => message.type)).toEqual(['system', 'user']);
    expect(request.options).toEqual({
      model: 'm',
      temperature: 0.5,
      maxTokens: 9,
      stopSequences: ['END'],
      toolChoice: { tool: 'weather' },
    });
    expect(request.tools).toEqual(['weather']);
  });

  it('a stream, cut at every byte, of two answers', async () => {
    const other = { text: 'Other', chunks: 'char' } as const;
    await using server = await startMockServer([{ ...openAiChatWire.stream([step, other]), split: { each: 1 } }]);
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k', maxRetries: 0 });
    const runner = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    const answer = await runner.finalChatCompletion();
    expect(answer.choices.map((choice) => choice.message.content)).toEqual(['It räins €.', 'Other']);
    expect(answer.choices[0]?.message.tool_calls?.map((call) => call.id)).toEqual([
      'call_000000000000000000000001',
      'second',
    ]);
    expect(answer.usage?.total_tokens).toBe(2574);
  });

  it('embeddings, as base64', async () => {
    await using server = await startMockServer((request) => openAiEmbeddingsWire.call(request.json));
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k', maxRetries: 0 });
    const { data } = await client.embeddings.create({ model: 'e', input: ['a', 'b', 'a'], dimensions: 8 });
    expect(data.map((one) => one.embedding.length)).toEqual([8, 8, 8]);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
  });

  it('errors', async () => {
    const kinds = ['authentication', 'rate-limit', 'overloaded', 'bad-request', 'not-found'] as const;
    await using server = await startMockServer(kinds.map(openAiChatWire.error));
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k', maxRetries: 0 });
    for (const status of [401, 429, 503, 400, 404]) {
      const call = client.chat.completions.create({ model: 'm', messages: [] });
      await expect(call).rejects.toMatchObject({ status, requestID: 'req_wire_1' });
    }
  });
});

describe("Anthropic's own SDK understands the wire", () => {
  const ask = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] } as const;

  it('a whole answer equals the streamed one, cut at every byte', async () => {
    await using server = await startMockServer([
      anthropicMessagesWire.call([step]),
      { ...anthropicMessagesWire.stream([step]), split: { each: 1 } },
    ]);
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    const whole = await client.messages.create({
      ...ask,
      messages: [...ask.messages],
      system: 'be terse',
      stop_sequences: ['END'],
    });
    const streamed = await client.messages.stream({ ...ask, messages: [...ask.messages] }).finalMessage();
    expect(streamed.content.map((block) => ({ ...block }))).toEqual(whole.content.map((block) => ({ ...block })));
    expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
    expect(streamed.stop_reason).toBe('tool_use');
    expect(streamed.usage).toMatchObject({
      input_tokens: 27,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2400,
      output_tokens: 47,
    });
    const request = anthropicMessagesWire.request(server.requests[0]?.json);
    expect(request.messages.map((message) => message.type)).toEqual(['system', 'user']);
    expect(request.options).toEqual({ model: 'm', maxTokens: 9, stopSequences: ['END'] });
  });

  it('errors, one of them in the middle of a stream', async () => {
    const kinds = ['authentication', 'rate-limit', 'overloaded', 'bad-request', 'not-found', 'mid-stream'] as const;
    await using server = await startMockServer(kinds.map(anthropicMessagesWire.error));
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    for (const status of [401, 429, 529, 400, 404]) {
      await expect(client.messages.create({ ...ask, messages: [...ask.messages] })).rejects.toMatchObject({ status });
    }
    const stream = client.messages.stream({ ...ask, messages: [...ask.messages] });
    await expect(stream.finalText()).rejects.toThrow(/overloaded/i);
  });
});

describe('Ollama', () => {
  it('streams lines of JSON that add up to the whole answer', async () => {
    await using server = await startMockServer([ollamaChatWire.stream([step]), ollamaChatWire.call([step])]);
    const lines = (await (await fetch(server.url)).text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const whole = JSON.parse(await (await fetch(server.url)).text());
    expect(lines.map((line) => line.message.content).join('')).toBe(whole.message.content);
    expect(lines.map((line) => line.message.thinking ?? '').join('')).toBe(whole.message.thinking);
    expect(lines.flatMap((line) => line.message.tool_calls ?? [])).toEqual(whole.message.tool_calls);
    expect(whole.message.tool_calls[1]).toEqual({ function: { name: 'now', arguments: {} } });
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 2527, eval_count: 47 });
    expect(lines.filter((line) => line.done)).toHaveLength(1);
  });

  it('reads a request', () => {
    const request = ollamaChatWire.request({
      model: 'm',
      stream: false,
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u', images: ['aGk='] },
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
        { role: 'tool', content: '1', tool_name: 'f' },
        { role: 'tool', content: '2', tool_name: 'g' },
      ],
      options: { num_predict: 3, top_k: 5 },
      format: { type: 'object' },
      tools: [weather],
    });
    expect(request.messages.map((message) => message.type)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(request.options).toEqual({
      model: 'm',
      stream: false,
      maxTokens: 3,
      topK: 5,
      outputSchema: { type: 'object' },
    });
    expect(request.tools).toEqual(['weather']);
  });

  it('embeds', () => {
    const { parts } = ollamaEmbedWire.call({ model: 'm', input: ['a', 'b'] });
    expect(JSON.parse(String(parts[0])).embeddings).toHaveLength(2);
    expect(ollamaEmbedWire.inputs({ input: 'a' })).toEqual(['a']);
  });
});

it.each<[string, ChatModelWire]>([
  ['openai', openAiChatWire],
  ['anthropic', anthropicMessagesWire],
  ['ollama', ollamaChatWire],
])('%s refuses what cannot be sent', (_, wire) => {
  expect(() => wire.call([() => 'x'])).toThrow(/not functions/);
  expect(() => wire.stream([{ text: 'x', error: new Error('no') }])).toThrow(/cannot send an Error/);
  if (wire !== openAiChatWire) expect(() => wire.call(['a', 'b'])).toThrow(/one answer a request/);
  expect(String(wire.error('authentication').parts[0])).toContain(WIRE_SECRET);
});
