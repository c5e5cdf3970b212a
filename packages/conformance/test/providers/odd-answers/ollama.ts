import { OllamaChatModel, OllamaEmbeddingModel } from '@vernal/model-ollama';
import type { MockExchange } from '@vernal/testing/mock-server';
import type { OddAnswer, OddProvider } from './odd-provider.js';

const lines = (...values: readonly unknown[]): MockExchange => ({
  headers: { 'content-type': 'application/x-ndjson' },
  parts: values.map((value) => `${JSON.stringify(value)}\n`),
});
const raw = (...parts: readonly string[]): MockExchange => ({ headers: { 'content-type': 'text/html' }, parts });
const html = raw('<html><body>Welcome</body></html>');

/** The whole answer, and the same as the only line of a stream. */
const body = (what: string, value: unknown): OddAnswer => ({ what, call: { json: value }, stream: lines(value) });
const answer = (what: string, members: object): OddAnswer =>
  body(what, { model: 'm', done: true, done_reason: 'stop', message: { content: 'a' }, ...members });
const message = (what: string, value: unknown): OddAnswer => answer(what, { message: value });
const calls = (what: string, ...tool_calls: readonly unknown[]): OddAnswer =>
  message(what, { content: '', tool_calls });
const text = (expected: string): object => ({ result: { output: { text: expected } } });
const called = (...toolCalls: readonly object[]): object => ({
  result: { output: { toolCalls }, metadata: { finishReason: 'tool_calls' } },
});
const embeddings = (value: unknown, more: object = {}): MockExchange => ({
  json: { model: 'm', embeddings: value, ...more },
});
const counters = (count: unknown): object => ({
  prompt_eval_count: count,
  eval_count: count,
  total_duration: count,
  load_duration: count,
  prompt_eval_duration: count,
  eval_duration: count,
});

export const OLLAMA: OddProvider = {
  name: 'ollama',
  chat: (baseURL, retry) => new OllamaChatModel({ baseURL, retry, defaultOptions: { model: 'm' } }),
  embedding: (baseURL, retry) => new OllamaEmbeddingModel({ baseURL, retry, defaultOptions: { model: 'm' } }),
  counted: (count) => answer('of tokens and time', { message: { content: 'paid for' }, ...counters(count) }),
  countedEmbedding: (count) => embeddings([[1, 2]], counters(count)),
  readable: [
    { ...message('an empty message', {}), gives: text('') },
    {
      ...message('content, thinking and tool_calls null', { content: null, thinking: null, tool_calls: null }),
      gives: text(''),
    },
    { ...answer('an error of null', { error: null }), gives: text('a') },
    {
      ...calls('arguments null', { function: { name: 'f', arguments: null } }),
      gives: called({ name: 'f', arguments: '' }),
    },
    {
      ...calls('arguments as a text', { function: { name: 'f', arguments: '{"a":1}' } }),
      gives: called({ arguments: '{"a":1}' }),
    },
    { ...calls('the id of a call as a number', { id: 7, function: { name: 'f' } }), gives: called({ id: 'call_0' }) },
    ...[null, 7, {}, ['stop'], ''].map((done_reason) => ({
      ...answer(`the reason ${JSON.stringify(done_reason)}`, { done_reason }),
      gives: { result: { output: { text: 'a' }, metadata: { finishReason: 'stop' } } },
    })),
    { ...answer('a model that is no text', { model: 7 }), gives: text('a') },
    { ...answer('log probabilities that are no list', { logprobs: 7 }), gives: text('a') },
    {
      what: 'a last line without a message and without its end',
      stream: raw('{"message":{"content":"a"}}\n\n', '{"done":true}'),
      gives: text('a'),
    },
  ],
  unreadable: [
    { what: 'a web page', call: html, stream: html },
    { what: 'broken JSON', call: raw('{"message":'), stream: raw('{"message":\n') },
    { what: 'an event of another protocol', stream: raw('data: {"done":true}\n\n') },
    { what: 'status 204', call: { status: 204, parts: [] } },
    ...[null, 7, 'x', [], [{ message: { content: 'a' } }], {}, { choices: [] }].map((value) =>
      body(`the body ${JSON.stringify(value)}`, value),
    ),
    ...[null, 7, 'x', []].map((value) => message(`the message ${JSON.stringify(value)}`, value)),
    ...[7, true, ['a'], { text: 'a' }].map((content) => message(`content ${JSON.stringify(content)}`, { content })),
    message('thinking as a number', { content: '', thinking: 7 }),
    message('tool_calls as an object', { content: '', tool_calls: {} }),
    ...[null, 7, {}, { function: null }, { function: {} }, { function: { name: 7 } }].map((call) =>
      calls(`the call ${JSON.stringify(call)}`, call),
    ),
    { what: 'an odd line after the first', stream: lines({ message: { content: 'a' }, done: false }, []) },
  ],
  readableEmbeddings: {
    'of a model that is no text': embeddings([[1, 2]], { model: 7 }),
    'with an error of null': embeddings([[1, 2]], { error: null }),
  },
  unreadableEmbeddings: {
    'a web page': html,
    'broken JSON': raw('{"embeddings":'),
    null: { json: null },
    'a list': { json: [] },
    nothing: { json: {} },
    'an object': embeddings({}),
    'null as the vector': embeddings([null]),
    'a number as the vector': embeddings([5]),
    'a text as the vector': embeddings(['12']),
    'an empty vector': embeddings([[]]),
    'nulls for numbers': embeddings([[null, 1]]),
    'texts for numbers': embeddings([['1', '2']]),
    'too few': embeddings([]),
  },
};
