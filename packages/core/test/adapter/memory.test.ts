import { ConversationConflictError, encodeMessage, toolResponseMessage, userMessage } from '@vernal/core';
import {
  conversationKey,
  createsSchema,
  findRange,
  readableText,
  restoredMessage,
  restoredText,
  storableText,
  storedMessage,
} from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

describe('conversationKey', () => {
  it.each(['a', '4f1e0f6e-92f2-4b8e-a1f3-6f0f3a5a4c11', 'tenant:1/user@example.com'])(
    'leaves ordinary ids as they are: %s',
    async (id) => expect(await conversationKey(id)).toBe(id),
  );

  it('gives every other id a key of plain ASCII, and no two the same', async () => {
    const ids = [
      'ä',
      'a\u0301',
      'a b',
      'a ',
      ' a',
      '\0',
      '\ud800',
      '\ud801',
      '\ufffd',
      `${'x'.repeat(121)}`,
      "o'h",
      'sha256-1',
    ];
    const keys = await Promise.all(ids.map(conversationKey));
    for (const key of keys) expect(key).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(ids.length);
  });

  it('cannot be met by an id that looks like a key', async () => {
    const key = await conversationKey('ä');
    expect(await conversationKey(key)).not.toBe(key);
  });

  it.each(['', ' ', undefined, 7])('refuses %j', async (id) => {
    await expect(conversationKey(id as string)).rejects.toMatchObject({ code: 'missing_conversation_id' });
  });
});

describe('text for engines', () => {
  it.each(['', 'plain', '😀', 'a\0b', '\ud800', '\udc00\ud800', 'json:', 'json:"a"', 'line\nend'])(
    'is storable and comes back: %j',
    (text) => {
      const stored = storableText(text);
      expect(stored).not.toMatch(/\0|\p{Surrogate}/u);
      expect(restoredText(stored)).toBe(text);
    },
  );

  it('is readable with a mark for what engines refuse', () => {
    expect(readableText('a\0b😀\ud800c\0')).toBe('a\ufffdb😀\ufffdc\ufffd');
  });
});

describe('stored messages', () => {
  it('hold all of the message, and its text for people', () => {
    const message = userMessage('a\0b', { metadata: { k: 'v' } });
    expect(storedMessage(message)).toEqual({ type: 'user', text: 'a\ufffdb', message: encodeMessage(message) });
    const results = toolResponseMessage([
      { id: '1', name: 'f', result: 'one' },
      { id: '2', name: 'g', result: 'two' },
    ]);
    expect(storedMessage(results)).toMatchObject({ type: 'tool', text: 'one\ntwo' });
    expect(restoredMessage(storedMessage(message).message, { conversationId: 'c', sequence: 1 })).toEqual(message);
  });

  it.each([
    ['{"v":2,"type":"user"}', 'message_version'],
    ['{"v":1,"type":"user"}', 'store_read'],
    ['nonsense', 'store_read'],
    [null, 'store_read'],
  ])('that cannot be read say where they are: %j', (text, code) => {
    const error = (() => {
      try {
        return restoredMessage(text, { conversationId: 'c', sequence: 7 });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code, details: { conversationId: 'c', sequence: 7 } });
    expect(String(error)).not.toContain('nonsense');
  });
});

describe('findRange', () => {
  it('gives whole numbers that engines take', () => {
    expect(findRange()).toEqual({ last: undefined, before: undefined, includeSystem: false });
    expect(findRange({ last: 2.5, before: 3.5, includeSystem: true })).toEqual({
      last: 2,
      before: 4,
      includeSystem: true,
    });
    expect(
      findRange({ last: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY, includeSystem: true }),
    ).toEqual({
      last: undefined,
      before: undefined,
      includeSystem: false,
    });
    expect(findRange({ before: -3 })).toMatchObject({ before: 0 });
  });

  it.each([{ last: -1 }, { last: Number.NaN }, { last: '3' }, { before: Number.NaN }, { before: '3' }])(
    'refuses %j',
    (options) => {
      expect(() => findRange(options as { last: number })).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: Object.keys(options)[0] }),
      );
    },
  );
});

it('creates a schema when it is told, or inside of the application', () => {
  expect([createsSchema(undefined, true), createsSchema(undefined, false)]).toEqual([true, false]);
  expect([createsSchema('always', false), createsSchema('never', true)]).toEqual([true, false]);
  expect(() => createsSchema('create' as 'always', true)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject: 'initializeSchema' }),
  );
});

it('a conflict says the same wherever it comes from', () => {
  const error = ConversationConflictError.between('c', 3, 5);
  expect(error).toMatchObject({
    code: 'conversation_conflict',
    conversationId: 'c',
    expectedSequence: 3,
    actualSequence: 5,
  });
});
