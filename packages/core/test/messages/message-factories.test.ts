import { assistantMessage, media, messageText, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import { describe, expect, it } from 'vitest';

const photo = media('image/png', new Uint8Array([1]));

describe('message factories', () => {
  it('make plain data', () => {
    expect(systemMessage('s')).toEqual({ type: 'system', text: 's', metadata: {} });
    expect(userMessage('u', { media: [photo] })).toEqual({ type: 'user', text: 'u', media: [photo], metadata: {} });
    const silent = { type: 'assistant', text: '', toolCalls: [], media: [], reasoning: [], metadata: {} };
    expect(assistantMessage()).toEqual(silent);
    expect(assistantMessage({})).toEqual(silent);
    expect(assistantMessage('a')).toEqual({ ...silent, text: 'a' });
    expect(structuredClone(assistantMessage('a'))).toEqual({ ...silent, text: 'a' });
  });

  it('turn dates into text and drop undefined', () => {
    const { metadata } = userMessage('u', {
      metadata: { at: new Date(0), none: undefined, deep: { n: -0 }, tags: ['a'] },
    });
    expect(metadata).toEqual({ at: '1970-01-01T00:00:00.000Z', deep: { n: 0 }, tags: ['a'] });
    expect(Object.keys(metadata)).not.toContain('none');
  });

  it.each<[string, unknown, string]>([
    ['NaN', { a: [1, { b: Number.NaN }] }, 'metadata.a[1].b'],
    ['infinity', { a: Number.NEGATIVE_INFINITY }, 'metadata.a'],
    ['a function', { a: () => 1 }, 'metadata.a'],
    ['a bigint', { a: 1n }, 'metadata.a'],
    ['a symbol', { a: Symbol('x') }, 'metadata.a'],
    ['a map', { a: new Map() }, 'metadata.a'],
    ['text', 'text', 'metadata'],
    ['a list', [1], 'metadata'],
    ['null', null, 'metadata'],
  ])('refuse %s in metadata and name the path', (_name, metadata, subject) => {
    expect(() => systemMessage('s', { metadata: metadata as never })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('keep a key called __proto__ as data', () => {
    const { metadata } = systemMessage('s', { metadata: JSON.parse('{"__proto__":{"admin":true}}') });
    expect(Reflect.get(metadata, 'admin')).toBeUndefined();
    expect(JSON.stringify(metadata)).toBe('{"__proto__":{"admin":true}}');
  });

  it('do not change with the lists they were given', () => {
    const list = [photo];
    const calls = [{ id: '1', name: 'f', arguments: '' }];
    const user = userMessage('u', { media: list });
    const assistant = assistantMessage({ toolCalls: calls, media: list });
    list.push(photo);
    calls.pop();
    expect(user.media).toHaveLength(1);
    expect(assistant).toMatchObject({ toolCalls: [{ id: '1' }], media: [photo] });
  });

  it('refuse holes, and text that is none', () => {
    expect(() => userMessage(undefined as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'text' }),
    );
    expect(() => userMessage('u', { media: [photo, null] as never })).toThrow(
      expect.objectContaining({ subject: 'media[1]' }),
    );
    expect(() => assistantMessage({ toolCalls: [undefined] as never })).toThrow(
      expect.objectContaining({ subject: 'toolCalls[0]' }),
    );
    expect(() => toolResponseMessage([{ id: '1', name: 'f' }] as never)).toThrow(
      expect.objectContaining({ subject: 'responses[0].result' }),
    );
  });

  it('keep what tool responses were given, and nothing undefined', () => {
    const message = toolResponseMessage([
      { id: '1', name: 'f', result: 'r', media: undefined, structured: undefined, isError: undefined },
      { id: '2', name: 'g', result: 'boom', structured: { at: new Date(0) }, isError: true, media: [photo] },
    ]);
    expect(message.responses[0]).toStrictEqual({ id: '1', name: 'f', result: 'r' });
    expect(message.responses[1]).toStrictEqual({
      id: '2',
      name: 'g',
      result: 'boom',
      media: [photo],
      structured: { at: '1970-01-01T00:00:00.000Z' },
      isError: true,
    });
    expect(messageText(message)).toBe('r\nboom');
    expect(messageText(userMessage('u'))).toBe('u');
  });
});
