// Shapes as on https://platform.claude.com/docs/en/api/messages and …/en/build-with-claude/streaming, each odd in one way.
import { AnthropicChatModel } from '@vernal/model-anthropic';
import type { MockExchange, SseEvent } from '@vernal/testing/mock-server';
import type { OddAnswer, OddProvider } from './odd-provider.js';

const html: MockExchange = { headers: { 'content-type': 'text/html' }, parts: ['<html><body>Welcome</body></html>'] };
type Data = { readonly type: string; readonly [key: string]: unknown };
const event = (data: Data): SseEvent => ({ event: data.type, data });
const events = (...list: readonly Data[]): MockExchange => ({ parts: list.map(event) });

const whole = (more: object): object => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'c',
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
  ...more,
});
const start = { type: 'message_start', message: whole({ content: [], stop_reason: null }) };
const end = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
const text = (text: string): object => ({ result: { output: { text } } });
const calls = (...toolCalls: readonly object[]): object => ({ result: { output: { toolCalls } } });

/** Content blocks, in a stream given whole where each of them starts. */
function content(what: string, ...blocks: readonly unknown[]): OddAnswer {
  const given = blocks.flatMap((content_block, index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ]);
  return { what, call: { json: whole({ content: blocks }) }, stream: events(start, ...given, ...end) };
}

/** Events between the first and the last. */
const between = (what: string, ...list: readonly Data[]): OddAnswer => ({
  what,
  stream: events(start, ...list, ...end),
});
const delta = (what: string, delta: unknown): OddAnswer =>
  between(
    what,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta },
  );
const shown = (value: unknown): string => JSON.stringify(value) ?? 'undefined';
const toolUse = { type: 'tool_use', id: 't', name: 'look', input: { a: [1] } };

export const ANTHROPIC: OddProvider = {
  name: 'anthropic',
  chat: (url, retry) => new AnthropicChatModel({ baseURL: url, maxRetries: 0, retry }),
  counted(count) {
    const usage = {
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens_details: { thinking_tokens: count },
    };
    const block = { type: 'text', text: 'paid for' };
    return {
      what: 'of the usage',
      call: { json: whole({ content: [block], usage }) },
      stream: events(
        { type: 'message_start', message: whole({ content: [], stop_reason: null, usage }) },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
        { type: 'message_stop' },
      ),
    };
  },
  readable: [
    { ...content('text where its block starts', { type: 'text', text: 'a' }), gives: text('a') },
    { ...content('a text that is null', { type: 'text', text: null }), gives: text('') },
    { ...content('citations of another shape', { type: 'text', text: 'a', citations: 'none' }), gives: text('a') },
    {
      ...content('thinking where its block starts', { type: 'thinking', thinking: 'hm', signature: 's' }),
      gives: { result: { output: { reasoning: [{ text: 'hm', signature: 's' }] } } },
    },
    {
      ...content('thinking without a signature', { type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'a' }),
      gives: { result: { output: { text: 'a', reasoning: [{ text: 'hm' }] } } },
    },
    {
      ...content('input where its block starts', toolUse),
      gives: calls({ id: 't', name: 'look', arguments: '{"a":[1]}' }),
    },
    {
      ...content('input as text', { ...toolUse, input: '{"a":[1]}' }),
      gives: calls({ id: 't', name: 'look', arguments: '{"a":[1]}' }),
    },
    {
      ...content('input that is missing', { ...toolUse, input: undefined }),
      gives: calls({ id: 't', name: 'look', arguments: '{}' }),
    },
    {
      ...content('the id of a call null', { ...toolUse, id: null }),
      gives: calls({ id: 'call_0', name: 'look', arguments: '{"a":[1]}' }),
    },
    {
      ...between(
        'input that starts whole and comes in deltas too',
        { type: 'content_block_start', index: 0, content_block: toolUse },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"a":2}' },
        },
      ),
      gives: calls({ id: 't', name: 'look', arguments: '{"a":2}' }),
    },
    {
      ...between('input where its block starts, and no end of the block', {
        type: 'content_block_start',
        index: 0,
        content_block: toolUse,
      }),
      gives: calls({ id: 't', name: 'look', arguments: '{"a":[1]}' }),
    },
    {
      ...between('text without the start of its block', {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'a' },
      }),
      gives: text('a'),
    },
    { ...between('an event of another kind', { type: 'news' }), gives: text('') },
    {
      ...delta('thinking under the index of a text', { type: 'thinking_delta', thinking: 'hm' }),
      gives: { result: { output: { text: '', reasoning: [{ text: 'hm' }] } } },
    },
    { ...delta('a delta of another kind', { type: 'news' }), gives: text('') },
    { ...content('a block of another kind', { type: 'news' }, { type: 'text', text: 'a' }), gives: text('a') },
    ...[7, {}, ['stop'], true].map((word) => ({
      what: `the stop reason ${shown(word)}`,
      call: { json: whole({ content: [{ type: 'text', text: 'a' }], stop_reason: word }) },
      stream: events(
        start,
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
        { type: 'message_delta', delta: { stop_reason: word } },
        { type: 'message_stop' },
      ),
      gives: text('a'),
    })),
    ...[7, 'many', [], null].map((usage) => ({
      what: `the usage ${shown(usage)}`,
      call: { json: whole({ content: [{ type: 'text', text: 'a' }], usage }) },
      stream: events(
        { type: 'message_start', message: whole({ content: [], usage }) },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      ),
      gives: { ...text('a'), metadata: { usage: {} } },
    })),
    {
      what: 'an id and a model that are no text',
      call: { json: whole({ content: [{ type: 'text', text: 'a' }], id: 7, model: {} }) },
      stream: events(
        { type: 'message_start', message: whole({ content: [], id: 7, model: {} }) },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
        ...end,
      ),
      gives: text('a'),
    },
  ],
  unreadable: [
    { what: 'a web page', call: html, stream: html },
    { what: 'a text', call: { parts: ['hello'], headers: { 'content-type': 'text/plain' } } },
    {
      what: 'broken JSON',
      call: { parts: ['{"content":'], headers: { 'content-type': 'application/json' } },
      stream: { parts: [event(start), 'event: content_block_delta\ndata: {"delta":\n\n'] },
    },
    { what: 'JSON of something else where a stream was asked for', stream: { json: { hello: 'world' } } },
    { what: 'status 204', call: { status: 204, parts: [] } },
    ...[null, 7, [], 'x', {}].map((body): OddAnswer => ({ what: `the body ${shown(body)}`, call: { json: body } })),
    ...[null, 7, 'x', {}].map(
      (list): OddAnswer => ({ what: `content ${shown(list)}`, call: { json: whole({ content: list }) } }),
    ),
    ...[null, 7, [], 'x', {}, { type: 7 }].map((block) => content(`the block ${shown(block)}`, block)),
    ...[7, {}, ['a']].map((value) => content(`the text ${shown(value)}`, { type: 'text', text: value })),
    ...[7, {}].map((value) => content(`the thinking ${shown(value)}`, { type: 'thinking', thinking: value })),
    ...[7, null].map((value) =>
      content(`redacted thinking ${shown(value)}`, { type: 'redacted_thinking', data: value }),
    ),
    ...[7, null].map((value) => content(`the tool ${shown(value)}`, { ...toolUse, name: value })),
    content('a citation that is no object', { type: 'text', text: 'a', citations: [7] }),
    ...[null, 7, [], 'x'].map(
      (data): OddAnswer => ({
        what: `the event ${shown(data)}`,
        stream: { parts: [event(start), { event: 'message_delta', data: JSON.stringify(data) }] },
      }),
    ),
    { what: 'a first event without its message', stream: events({ type: 'message_start' }, ...end) },
    between('the start of a block without it', { type: 'content_block_start', index: 0 }),
    between('a delta without it', { type: 'content_block_delta', index: 0 }),
    between('the end without its reason', { type: 'message_delta' }),
    between('input of no block', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{}' },
    }),
    ...[null, 7, {}].map((value) => delta(`the delta ${shown(value)}`, value)),
    ...[7, null, undefined].map((value) =>
      delta(`the text delta ${shown(value)}`, { type: 'text_delta', text: value }),
    ),
    delta('input of a block of text', { type: 'input_json_delta', partial_json: '{}' }),
    delta('a citation delta without it', { type: 'citations_delta' }),
  ],
};
