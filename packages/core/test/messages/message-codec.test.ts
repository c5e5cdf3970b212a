import {
  assistantMessage,
  decodeMessage,
  encodeMessage,
  MESSAGE_VERSION,
  type Message,
  media,
  messageEquals,
  systemMessage,
  toolResponseMessage,
  userMessage,
  VernalError,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const text = fc.string({ unit: 'binary' });
const metadata = fc.dictionary(text, fc.jsonValue({ depthSize: 'small' }), { maxKeys: 4 });
const anyMedia = fc.record(
  {
    mimeType: fc.constantFrom('image/png', 'audio/wav'),
    source: fc.oneof(
      fc.record({ type: fc.constant('bytes' as const), bytes: fc.uint8Array({ maxLength: 70 }) }),
      fc.record({ type: fc.constant('base64' as const), base64: fc.base64String() }),
      fc.record({ type: fc.constant('url' as const), url: fc.webUrl() }),
    ),
    id: text,
    name: text,
  },
  { requiredKeys: ['mimeType', 'source'] },
);
const mediaList = fc.array(anyMedia, { maxLength: 3 });
const toolCall = fc.record({ id: text, name: text, arguments: text });
const reasoning = fc.record(
  { text, signature: text, redactedData: text, provider: text, index: fc.nat() },
  { requiredKeys: [] },
);
const response = fc.record(
  { id: text, name: text, result: text, media: mediaList, structured: fc.jsonValue(), isError: fc.boolean() },
  { requiredKeys: ['id', 'name', 'result'] },
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.tuple(text, metadata).map(([t, m]) => systemMessage(t, { metadata: m as never })),
  fc.tuple(text, mediaList, metadata).map(([t, list, m]) => userMessage(t, { media: list, metadata: m as never })),
  fc
    .record({ text, toolCalls: fc.array(toolCall), media: mediaList, reasoning: fc.array(reasoning), metadata })
    .map((input) => assistantMessage(input as never)),
  fc
    .tuple(fc.array(response), metadata)
    .map(([list, m]) => toolResponseMessage(list as never, { metadata: m as never })),
);

describe('encodeMessage and decodeMessage', () => {
  it('give every message back as it was', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const encoded = encodeMessage(message);
        const decoded = decodeMessage(encoded);
        expect(decoded).toEqual(message);
        expect(messageEquals(decoded, message)).toBe(true);
        expect(encodeMessage(decoded)).toBe(encoded);
      }),
    );
  });

  it('write bytes as base64 and read them as bytes; base64 stays base64', () => {
    const message = userMessage('see', {
      media: [
        media('image/png', new Uint8Array([137, 80]), { name: 'a' }),
        media('image/png', { type: 'base64', base64: 'iVBORw0KGgo=' }),
      ],
    });
    const decoded = decodeMessage(encodeMessage(message));
    expect(decoded).toEqual(message);
    expect(decoded.type === 'user' && decoded.media.map((one) => one.source.type)).toEqual(['bytes', 'base64']);
  });

  it('keep empty strings, NUL characters and a typed backslash-u apart', () => {
    const message = assistantMessage({ text: 'a\u0000b \\u0000', toolCalls: [{ id: '', name: 'f', arguments: '' }] });
    expect(decodeMessage(encodeMessage(message))).toEqual(message);
  });

  it('write the version, and equal text for equal messages', () => {
    const a = userMessage('u', { metadata: { a: 1, b: 2 } });
    const b = userMessage('u', { metadata: { b: 2, a: 1 } });
    expect(encodeMessage(a)).toBe(encodeMessage(b));
    expect(JSON.parse(encodeMessage(a))).toMatchObject({ v: MESSAGE_VERSION, type: 'user', text: 'u' });
  });

  it('reads text written by the first release', () => {
    const stored =
      '{"media":[{"mimeType":"image/png","source":{"base64":"AQI=","type":"bytes"}}],"metadata":{"k":[1,null]},"text":"hi","type":"user","v":1}';
    expect(decodeMessage(stored)).toEqual({
      type: 'user',
      text: 'hi',
      media: [{ mimeType: 'image/png', source: { type: 'bytes', bytes: new Uint8Array([1, 2]) } }],
      metadata: { k: [1, null] },
    });
  });

  it('says message_version for a newer version', () => {
    expect(() => decodeMessage('{"v":2,"type":"hologram"}')).toThrow(
      expect.objectContaining({ code: 'message_version', details: { version: 2, supported: 1 } }),
    );
  });

  it.each([
    ['', 'message'],
    ['not json SECRET', 'message'],
    ['null', 'message'],
    ['[]', 'message'],
    ['{"type":"user"}', 'message'],
    ['{"v":"1"}', 'message'],
    ['{"v":0}', 'message'],
    ['{"v":1,"metadata":{}}', 'message.type'],
    ['{"v":1,"type":"user","metadata":{},"text":"SECRET"}', 'message.media'],
    ['{"v":1,"type":"system","metadata":{},"text":7}', 'message.text'],
    ['{"v":1,"type":"system","text":"SECRET"}', 'message.metadata'],
    ['{"v":1,"type":"tool","metadata":{},"responses":[{"id":"1","name":"f"}]}', 'message.responses[0].result'],
    [
      '{"v":1,"type":"user","metadata":{},"text":"","media":[{"mimeType":"a/b","source":{"type":"bytes","base64":"!"}}]}',
      'message.media[0].source.base64',
    ],
  ])('refuses %s and names the place', (encoded, subject) => {
    expect(() => decodeMessage(encoded)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
    expect(() => decodeMessage(encoded)).toThrow(/^(?!.*SECRET)/s);
  });

  it('answers any text with a message or a VernalError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((v) => JSON.stringify({ v: 1, type: 'user', media: v })),
        ),
        (garbage) => {
          try {
            expect(decodeMessage(garbage)).toHaveProperty('type');
          } catch (error) {
            expect(VernalError.is(error)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('messageEquals', () => {
  it('sees through the order of keys and the way media is held', () => {
    const bytes = userMessage('u', {
      media: [{ mimeType: 'a/b', source: { type: 'bytes', bytes: new Uint8Array(3) } }],
    });
    const base64 = userMessage('u', { media: [{ mimeType: 'a/b', source: { type: 'base64', base64: 'AAAA' } }] });
    expect(messageEquals(bytes, base64)).toBe(true);
    expect(
      messageEquals(
        systemMessage('s', { metadata: { a: 1, b: [{ c: 1, d: 2 }] } }),
        systemMessage('s', { metadata: { b: [{ d: 2, c: 1 }], a: 1 } }),
      ),
    ).toBe(true);
  });

  it.each<[string, Message, Message]>([
    ['type', systemMessage('x'), userMessage('x')],
    ['text', userMessage('x'), userMessage('y')],
    ['metadata', userMessage('x', { metadata: { a: 1 } }), userMessage('x')],
    ['null against absent', userMessage('x', { metadata: { a: null } }), userMessage('x')],
    [
      'media content',
      userMessage('x', { media: [{ mimeType: 'a/b', source: { type: 'base64', base64: 'AAAA' } }] }),
      userMessage('x', { media: [{ mimeType: 'a/b', source: { type: 'base64', base64: 'AAAB' } }] }),
    ],
    [
      'url against bytes',
      userMessage('x', { media: [media('a/b', 'https://x.test/', { name: 'n' })] }),
      userMessage('x', { media: [media('a/b', new Uint8Array(1), { name: 'n' })] }),
    ],
    ['number of media', userMessage('x', { media: [media('a/b', new Uint8Array(1))] }), userMessage('x')],
    ['tool calls', assistantMessage({ toolCalls: [{ id: '1', name: 'f', arguments: '' }] }), assistantMessage()],
    ['reasoning', assistantMessage({ reasoning: [{ text: 'a' }] }), assistantMessage({ reasoning: [{ text: 'b' }] })],
    [
      'tool responses',
      toolResponseMessage([{ id: '1', name: 'f', result: 'r' }]),
      toolResponseMessage([{ id: '1', name: 'f', result: 'r', isError: false }]),
    ],
    [
      'media of a response',
      toolResponseMessage([{ id: '1', name: 'f', result: 'r', media: [] }]),
      toolResponseMessage([{ id: '1', name: 'f', result: 'r' }]),
    ],
  ])('tells a difference in %s', (_name, a, b) => {
    expect(messageEquals(a, b)).toBe(false);
    expect(messageEquals(b, a)).toBe(false);
    expect(messageEquals(a, structuredClone(a))).toBe(true);
  });
});

it.each([
  undefined,
  null,
  'text',
  {},
  { type: 'user' },
  { type: 'assistant', text: 'x' },
  { type: 'tool' },
  { type: 'other' },
])('refuses to write what is no message: %j', (message) => {
  expect(() => encodeMessage(message as unknown as Message)).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});
