import { contentId, document, media, withDocument } from '@vernal/core';
import { describe, expect, it } from 'vitest';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const picture = media('image/png', new Uint8Array([1, 2]), { name: 'p' });

describe('document', () => {
  it('is plain data with an id of its own', () => {
    const made = document('Body', { source: 'a.md', at: new Date(0), gone: undefined });
    expect(made).toEqual({
      id: expect.stringMatching(UUID),
      text: 'Body',
      metadata: { source: 'a.md', at: '1970-01-01T00:00:00.000Z' },
    });
    expect(document('Body').id).not.toBe(document('Body').id);
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });

  it('keeps what it is given and drops what is undefined', () => {
    const input = {
      id: '7',
      text: '',
      metadata: { a: 1 },
      score: 0.5,
      format: { textTemplate: '{content}' },
      media: undefined,
    };
    expect(document(input)).toStrictEqual({
      id: '7',
      text: '',
      metadata: { a: 1 },
      score: 0.5,
      format: { textTemplate: '{content}' },
    });
    expect(document({ id: '7', media: picture }, { b: 2 })).toStrictEqual({
      id: '7',
      media: picture,
      metadata: { b: 2 },
    });
    expect(document({ id: '7', text: 'x', metadata: { a: 1, b: 1 } }, { b: 2 }).metadata).toEqual({ a: 1, b: 2 });
  });

  it('does not share metadata with the caller', () => {
    const metadata = { tags: ['a'] };
    const made = document('x', metadata);
    metadata.tags.push('b');
    expect(made.metadata).toEqual({ tags: ['a'] });
  });

  it.each([
    [{ text: 'x', media: picture }, 'document'],
    [{}, 'document'],
    [{ id: ' ', text: 'x' }, 'id'],
    [{ text: 'x', score: Number.NaN }, 'score'],
    [{ text: 'x', metadata: { n: Number.POSITIVE_INFINITY } }, 'metadata.n'],
  ])('refuses %j', (input, subject) => {
    expect(() => document(input)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });
});

describe('withDocument', () => {
  const made = document({ id: '1', text: 'x', metadata: { a: 1, b: 1 }, score: 1, format: { metadataSeparator: ';' } });

  it('merges metadata and changes only what is given', () => {
    expect(withDocument(made, { metadata: { b: 2, c: undefined }, score: undefined })).toStrictEqual({
      ...made,
      metadata: { a: 1, b: 2 },
    });
    expect(withDocument(made, { id: '2', text: '', score: 0 })).toStrictEqual({ ...made, id: '2', text: '', score: 0 });
    expect(made.metadata).toEqual({ a: 1, b: 1 });
  });

  it('puts media in the place of text', () => {
    const changed = withDocument(made, { media: picture });
    expect(changed.media).toEqual(picture);
    expect('text' in changed).toBe(false);
    expect(() => withDocument(made, { media: picture, text: 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});

describe('contentId', () => {
  it('is the same on every machine, whatever the order of keys', async () => {
    expect(await contentId('Body', { a: 1, b: [true, null] })).toBe('8f34dcea-b789-8733-b5a7-77c9c7b7bad9');
    expect(await contentId('Body', { b: [true, null], a: 1 })).toBe(await contentId('Body', { a: 1, b: [true, null] }));
    expect(await contentId('Body', {})).toBe(await contentId('Body'));
    expect(await contentId('Body')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('tells apart case, white space and metadata', async () => {
    const ids = await Promise.all([
      contentId('a'),
      contentId('A'),
      contentId('a '),
      contentId('a\n'),
      contentId('a', { k: 1 }),
      contentId('a', { k: '1' }),
      contentId('\ud800'),
      contentId('\ufffd'),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
