import { OpenAiChatModel, OpenAiEmbeddingModel } from '@vernal/model-openai';
import type { MockExchange } from '@vernal/testing/mock-server';
import type { OddAnswer, OddProvider } from './odd-provider.js';

const DONE = 'data: [DONE]\n\n';
const events = (...data: readonly unknown[]): MockExchange => ({
  parts: [...data.map((one) => ({ data: one })), DONE],
});
const html: MockExchange = { headers: { 'content-type': 'text/html' }, parts: ['<html><body>Welcome</body></html>'] };

/** Bodies and chunks with one choice: `choice` is the choice of the body, and with `delta` for `message` that of the chunk. */
function choice(
  what: string,
  { message, ...rest }: { readonly message: unknown; readonly [key: string]: unknown },
): OddAnswer {
  return {
    what,
    call: { json: { id: 'x', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message, ...rest }] } },
    stream: events({ id: 'x', model: 'm', choices: [{ index: 0, finish_reason: 'stop', delta: message, ...rest }] }),
  };
}
const message = (what: string, message: unknown): OddAnswer => choice(what, { message });
const body = (what: string, body: unknown): OddAnswer => ({ what, call: { json: body }, stream: events(body) });
const text = (text: string): object => ({ result: { output: { text } } });
const calls = (...toolCalls: readonly object[]): object => ({ result: { output: { toolCalls } } });
const called = (id: unknown, fn: unknown): unknown => ({
  content: null,
  tool_calls: [{ index: 0, id, type: 'function', function: fn }],
});
const embeddings = (data: unknown, more: object = {}): MockExchange => ({
  json: { object: 'list', data, model: 'e', ...more },
});

export const OPEN_AI: OddProvider = {
  name: 'openai',
  chat: (url, retry) => new OpenAiChatModel({ baseURL: `${url}/v1`, maxRetries: 0, retry }),
  embedding: (url, retry) => new OpenAiEmbeddingModel({ baseURL: `${url}/v1`, maxRetries: 0, retry }),
  counted(count) {
    const usage = {
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      prompt_tokens_details: { cached_tokens: count, cache_write_tokens: count },
      completion_tokens_details: { reasoning_tokens: count },
    };
    const whole = { index: 0, message: { role: 'assistant', content: 'paid for' }, finish_reason: 'stop' };
    return {
      what: 'of the usage',
      call: { json: { id: 'x', model: 'm', choices: [whole], usage } },
      stream: events(
        { choices: [{ index: 0, delta: { content: 'paid for' }, finish_reason: 'stop' }] },
        { choices: [], usage },
      ),
    };
  },
  countedEmbedding: (count) =>
    embeddings([{ index: 0, embedding: [1, 2] }], { usage: { prompt_tokens: count, total_tokens: count } }),
  readable: [
    {
      ...message('content as parts', {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      gives: text('ab'),
    },
    { ...message('content as no part', { content: [] }), gives: text('') },
    {
      ...message('reasoning among the parts', {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'a' },
        ],
      }),
      gives: { result: { output: { text: 'a', reasoning: [{ text: 'hm' }] } } },
    },
    { ...message('a refusal beside empty content', { content: '', refusal: 'no' }), gives: text('no') },
    {
      ...message('arguments as an object', called('c', { name: 'look', arguments: { a: [1] } })),
      gives: calls({ id: 'c', name: 'look', arguments: '{"a":[1]}' }),
    },
    {
      ...message('arguments null', called('c', { name: 'look', arguments: null })),
      gives: calls({ id: 'c', name: 'look', arguments: '' }),
    },
    {
      ...message('the id of a call as a number', called(7, { name: 'look', arguments: '{}' })),
      gives: calls({ id: '7', name: 'look', arguments: '{}' }),
    },
    {
      ...message('the id of a call null', called(null, { name: 'look', arguments: '{}' })),
      gives: calls({ id: 'call_0', name: 'look', arguments: '{}' }),
    },
    ...[null, 7, {}, ['stop'], true].map((word) => ({
      ...choice(`the finish reason ${JSON.stringify(word)}`, { message: { content: 'a' }, finish_reason: word }),
      gives: text('a'),
    })),
    ...['x', -1, 0.5, null].map((index) => ({
      ...choice(`the index ${JSON.stringify(index)}`, { message: { content: 'a' }, index }),
      gives: { result: { index: 0, output: { text: 'a' } } },
    })),
    ...[7, 'many', [], null].map((usage) => ({
      what: `the usage ${JSON.stringify(usage)}`,
      call: { json: { choices: [{ message: { content: 'a' }, finish_reason: 'stop' }], usage } },
      stream: events({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }], usage }),
      gives: { result: { output: { text: 'a' } }, metadata: { usage: {} } },
    })),
    {
      ...message('reasoning, annotations and audio of other shapes', {
        content: 'a',
        reasoning_content: 7,
        reasoning: { text: 'hm' },
        annotations: 'none',
        audio: 'none',
      }),
      gives: { result: { output: { text: 'a', reasoning: [], media: [] } } },
    },
    {
      what: 'an id and a model that are no text',
      call: { json: { id: 7, model: {}, choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] } },
      stream: events({ id: 7, model: {}, choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }),
      gives: text('a'),
    },
    {
      what: 'a whole answer where a stream was asked for',
      stream: { json: { id: 'x', choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] } },
      gives: { ...text('a'), metadata: { id: 'x' } },
    },
  ],
  unreadable: [
    { what: 'a web page', call: html, stream: html },
    { what: 'a text', call: { parts: ['hello'], headers: { 'content-type': 'text/plain' } }, stream: events('hello') },
    {
      what: 'broken JSON',
      call: { parts: ['{"choices":'], headers: { 'content-type': 'application/json' } },
      stream: { parts: ['data: {"choices":\n\n', DONE] },
    },
    { what: 'JSON of something else where a stream was asked for', stream: { json: { hello: 'world' } } },
    { what: 'no choices', call: { json: {} } },
    { what: 'status 204', call: { status: 204, parts: [] } },
    ...[null, 7, [], 'x'].map((whole) => body(`the body ${JSON.stringify(whole)}`, whole)),
    ...[7, {}, 'x'].map((choices) => body(`choices ${JSON.stringify(choices)}`, { choices })),
    ...[null, 7, 'x', []].map((one) => body(`the choice ${JSON.stringify(one)}`, { choices: [one] })),
    ...[7, 'x', []].map((one) => message(`the message ${JSON.stringify(one)}`, one)),
    { what: 'the message null', call: { json: { choices: [{ index: 0, message: null, finish_reason: 'stop' }] } } },
    ...[7, true, { text: 'a' }].map((content) => message(`content ${JSON.stringify(content)}`, { content })),
    ...[[null], [7], [{ type: 'text', text: 7 }]].map((content) =>
      message(`content ${JSON.stringify(content)}`, { content }),
    ),
    ...['x', {}, [null], [7], [{}], [{ function: null }], [{ id: 'c', function: { name: 7 } }]].map((tool_calls) =>
      message(`tool_calls ${JSON.stringify(tool_calls)}`, { content: null, tool_calls }),
    ),
    {
      what: 'an odd choice after the first chunk',
      stream: events({ choices: [{ index: 0, delta: { content: 'a' } }] }, { choices: [null] }),
    },
  ],
  readableEmbeddings: {
    'as base64': embeddings([{ index: 0, embedding: 'AACAPwAAAEA=' }]),
    'without an index': embeddings([{ embedding: [1, 2] }]),
    'with an odd index': embeddings([{ index: '0', embedding: [1, 2] }]),
    'with odd usage': embeddings([{ index: 0, embedding: [1, 2] }], { usage: [] }),
    'of a model that is no text': embeddings([{ index: 0, embedding: [1, 2] }], { model: 7 }),
  },
  unreadableEmbeddings: {
    'a web page': html,
    'broken JSON': { parts: ['{"data":'], headers: { 'content-type': 'application/json' } },
    'no data': { json: {} },
    null: { json: null },
    'data of another kind': embeddings({}),
    'data [null]': embeddings([null]),
    'no embedding': embeddings([{ index: 0 }]),
    'null as the embedding': embeddings([{ index: 0, embedding: null }]),
    'an empty embedding': embeddings([{ index: 0, embedding: [] }]),
    'nulls for numbers': embeddings([{ index: 0, embedding: [null, 1] }]),
    'texts for numbers': embeddings([{ index: 0, embedding: ['1', '2'] }]),
    'lists for numbers': embeddings([{ index: 0, embedding: [[1], [2]] }]),
    'base64 of another length': embeddings([{ index: 0, embedding: 'AACAPwAA' }]),
    'a text that is not base64': embeddings([{ index: 0, embedding: '%%%%' }]),
    'too few': embeddings([]),
  },
};
