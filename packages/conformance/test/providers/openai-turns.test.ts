// Whole turns of a client over an OpenAI-compatible server, with what such servers really send.
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { ChatClient, type ChatClientRequestSpec, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  type ChatResponse,
  fold,
  jsonSchema,
  MessageWindowChatMemory,
  responseText,
  tool,
  VernalError,
} from '@vernal/core';
import { OpenAiChatModel, type OpenAiChatModelOptions } from '@vernal/model-openai';
import { type BodyPart, type MockExchange, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { afterEach, describe, expect, it } from 'vitest';

type Sse = { raw: string } | { data: unknown } | { end: 'close' };
type Sent = {
  messages: {
    role: string;
    tool_call_id?: string;
    content?: string;
    tool_calls?: { id: string; function: { arguments: string } }[];
    reasoning_content?: string;
  }[];
};

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../models/openai/test/fixtures/${name}.json`, import.meta.url), 'utf8'));
const parts = (items: readonly Sse[]): BodyPart[] => items.map((item) => ('raw' in item ? item.raw : item));
const stream = (items: readonly Sse[]): MockExchange => ({ parts: parts(items) });
const says = (text: string): MockExchange =>
  stream([
    { data: { choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] } },
    { raw: 'data: [DONE]\n\n' },
  ]);

const servers: MockServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...exchanges: MockExchange[]): Promise<MockServer> {
  const server = await startMockServer(exchanges);
  servers.push(server);
  return server;
}

function modelAt(server: MockServer, options: OpenAiChatModelOptions = {}): OpenAiChatModel {
  return new OpenAiChatModel({ baseURL: `${server.url}/v1`, maxRetries: 0, ...options });
}

/** A tool that notes what it is called with. */
function noting(name: string, answer = 'done') {
  const inputs: unknown[] = [];
  const input = jsonSchema<Record<string, unknown>>({ type: 'object' });
  const note = (value: unknown): string => {
    inputs.push(value);
    return answer;
  };
  return { inputs, tool: tool({ name, input, execute: note }) };
}

const streamed = (spec: ChatClientRequestSpec): Promise<ChatResponse> => fold(spec.stream().chatResponse());
const sentTo = (server: MockServer, request: number): Sent => server.requests[request]?.json as Sent;

describe('calls of tools', () => {
  it.each([
    ['parallel-tool-calls', ['weather', 'clock']],
    ['missing-indexes', ['a', 'b']],
  ])('run once each and are answered in their order: %s', async (name, names) => {
    const { input, expected } = fixture(name);
    const server = await serve(stream(input.exchanges[0].reply.sse), says('fine'));
    const tools = names.map((one) => noting(one, `from ${one}`));
    const response = await streamed(
      ChatClient.create(modelAt(server))
        .prompt('x')
        .tools(tools.map((one) => one.tool)),
    );
    expect(responseText(response)).toBe(`${expected.text ?? ''}fine`);
    expect(tools.map(({ inputs }) => inputs)).toEqual(
      expected.tool_calls.map((call: { arguments: unknown }) => [call.arguments]),
    );
    const answers = sentTo(server, 1).messages.filter(({ role }) => role === 'tool');
    expect(answers.map(({ tool_call_id: id, content }) => [id, content])).toEqual(
      expected.tool_calls.map((call: { id: string; name: string }) => [call.id, `from ${call.name}`]),
    );
  });

  it.each(fixture('empty-arguments').input.variants as (string | null)[])(
    'without arguments (%j) run with none, and go back as an object',
    async (variant) => {
      const { exchanges } = structuredClone(fixture('empty-arguments').input);
      const call = exchanges[0].reply.sse[0].data.choices[0].delta.tool_calls[0].function;
      if (variant === '<arguments key absent>') delete call.arguments;
      else call.arguments = variant;
      const server = await serve(stream(exchanges[0].reply.sse), stream(exchanges[1].reply.sse));
      const now = noting('now');
      const response = await streamed(ChatClient.create(modelAt(server)).prompt('x').tools(now.tool));
      expect(responseText(response)).toBe('12:00');
      expect(now.inputs).toEqual([{}]);
      expect(sentTo(server, 1).messages[1]?.tool_calls?.[0]?.function.arguments).toBe('{}');
    },
  );

  it('without ids are told apart', async () => {
    const calls = [1, 2].map((n, index) => ({ index, function: { name: 'note', arguments: `{"n":${n}}` } }));
    const server = await serve(
      stream([{ data: { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] } }]),
      says('noted'),
    );
    const note = noting('note');
    await streamed(ChatClient.create(modelAt(server)).prompt('x').tools(note.tool));
    expect(note.inputs).toEqual([{ n: 1 }, { n: 2 }]);
    const [, asked, ...answers] = sentTo(server, 1).messages;
    const ids = asked?.tool_calls?.map(({ id }) => id) ?? [];
    expect(new Set(ids.filter((id) => id !== '')).size).toBe(2);
    expect(answers.map(({ tool_call_id: id }) => id)).toEqual(ids);
  });

  const words = fixture('finish-words').input.finish_values as (string | null)[];
  const chunks = (word: string | null): Sse[] => {
    const items = structuredClone(fixture('finish-words').input.exchanges[0].reply.sse);
    items[1].data.choices[0].finish_reason = word;
    return items;
  };
  const whole = (word: string | null): MockExchange => {
    const [call] = chunks(word) as { data: { choices: { delta: { tool_calls: unknown[] } }[] } }[];
    const message = { role: 'assistant', content: null, tool_calls: call?.data.choices[0]?.delta.tool_calls };
    return { json: { id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason: word }] } };
  };
  const sum: MockExchange = {
    json: {
      id: 'x',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: '5' }, finish_reason: 'stop' }],
    },
  };

  it.each(words)('run whatever the last word is: %j', async (word) => {
    const add = noting('add', '5');
    const server = await serve(stream(chunks(word)), says('5'), whole(word), sum);
    const spec = ChatClient.create(modelAt(server)).prompt('x').tools(add.tool);
    expect(responseText(await streamed(spec))).toBe('5');
    expect(await spec.call().content()).toBe('5');
    expect(add.inputs).toEqual([
      { a: 2, b: 3 },
      { a: 2, b: 3 },
    ]);
  });

  it.each(['length', 'content_filter'])('do not run when they end with %s', async (word) => {
    const add = noting('add');
    const server = await serve(stream(chunks(word)), whole(word));
    const spec = ChatClient.create(modelAt(server)).prompt('x').tools(add.tool);
    for (const response of [await streamed(spec), await spec.call().chatResponse()]) {
      expect(response.result?.metadata.finishReason).toBe(word);
    }
    expect(add.inputs).toEqual([]);
  });

  it('take the reasoning before them along, where the server wants it back', async () => {
    const { input, expected } = fixture('reasoning-content');
    const [first, second] = input.exchanges;
    const server = await serve(stream(first.reply.sse), (request) => {
      const last = (request.json as Sent).messages.findLast(({ role }) => role === 'assistant');
      const isReplayed = last?.tool_calls !== undefined && last.reasoning_content === expected.reasoning;
      return isReplayed ? { parts: parts(second.reply.sse) } : second.reply_if_assert_fails;
    });
    const model = modelAt(server, { replayReasoning: true });
    const response = await streamed(ChatClient.create(model).prompt('x').tools(noting('weather').tool));
    expect(responseText(response)).toBe(expected.text);
    expect(response.result?.output.reasoning.map(({ text }) => text)).toEqual([expected.reasoning]);
  });
});

describe('an answer that breaks off', () => {
  /** The turn as memory has it afterwards: what was said, and whether it counts as finished. */
  async function brokenTurn(exchange: MockExchange, options?: OpenAiChatModelOptions) {
    const server = await serve(exchange);
    const chatMemory = new MessageWindowChatMemory();
    const remove = noting('remove_file');
    const spec = ChatClient.builder(modelAt(server, options))
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }))
      .defaultTools(remove.tool)
      .build()
      .prompt('x')
      .conversation('c');
    const seen: string[] = [];
    const error: unknown = await (async () => {
      for await (const text of spec.stream().content()) seen.push(text);
    })().catch((failure: unknown) => failure);
    return { error, seen: seen.join(''), removed: remove.inputs, last: (await chatMemory.get('c')).at(-1) };
  }

  it.each([0, 1, 2])(
    'by an error in the stream (%i) is an error, after its text, and no finished turn',
    async (variant) => {
      const items: Sse[] = fixture('error-in-stream').input.variants[variant];
      const { error, seen, last } = await brokenTurn(stream(items), { providerMessages: true });
      const told = (items.find((item) => 'data' in item && Object.hasOwn(Object(item.data), 'error')) ?? {
        data: {},
      }) as {
        data: { error: { message: string; code: string | number } };
      };
      expect(VernalError.is(error)).toBe(true);
      expect(error).toMatchObject({ message: expect.stringContaining(told.data.error.message) });
      const { details, status } = error as { details: Record<string, unknown>; status?: number };
      expect([details['provider_code'], status]).toContain(told.data.error.code);
      expect(seen).toBe(variant === 1 ? '' : 'par');
      expect(last).toMatchObject({ type: 'assistant', text: seen, metadata: { cancelled: true } });
    },
  );

  it.each(['A_mid_tool_args', 'B_mid_text', 'D_empty_body'])(
    'by the end of the connection runs nothing: %s',
    async (name) => {
      const { error, removed, last } = await brokenTurn(stream(fixture('cut-short').input.variants[name]));
      expect(error).toMatchObject({ code: 'model_stream_interrupted' });
      expect(removed).toEqual([]);
      expect(last).toMatchObject({ type: 'assistant', toolCalls: [], metadata: { cancelled: true } });
    },
  );
});

it('a signal that outlives 200 streams keeps no listener, and those that are left are closed', async () => {
  const first: BodyPart = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
  const rest: BodyPart = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const server = await startMockServer((_, position) => {
    if (position % 10 === 1) return { status: 500, json: { error: { message: 'down' } } };
    return { parts: position % 10 === 2 ? [first, { end: 'hang' }] : [first, rest] };
  });
  servers.push(server);
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', note);
  const session = new AbortController();
  const spec = ChatClient.create(modelAt(server)).prompt('x').signal(session.signal);
  let failed = 0;
  for (let i = 0; i < 200; i++) {
    try {
      for await (const _ of spec.stream().content()) if (i % 10 === 2) break;
    } catch (error) {
      expect(error).toMatchObject({ code: 'model_error', status: 500 });
      failed++;
    }
  }
  await server.whenDropped(20);
  process.off('warning', note);
  expect([failed, warnings, getEventListeners(session.signal, 'abort')]).toEqual([20, [], []]);
});
