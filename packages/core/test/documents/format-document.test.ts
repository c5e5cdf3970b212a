import { document, formatDocument, media } from '@vernal/core';
import { describe, expect, it } from 'vitest';

const metadata = { z: 'last?', a: 1, tags: ['x', 'y'], none: null };
const excluded = { excludedEmbedMetadataKeys: ['a'], excludedInferenceMetadataKeys: ['tags', 'none'] };

describe('formatDocument', () => {
  it('writes metadata in their order, an empty line, the content', () => {
    const text = 'z: last?\na: 1\ntags: ["x","y"]\nnone: null\n\nBody';
    expect(formatDocument(document('Body', metadata))).toBe(text);
    expect(formatDocument(document({ text: 'Body', metadata, format: excluded }), 'all')).toBe(text);
  });

  it('leaves out what its mode excludes', () => {
    const made = document({ text: 'Body', metadata, format: excluded });
    expect(formatDocument(made, 'embed')).toBe('z: last?\ntags: ["x","y"]\nnone: null\n\nBody');
    expect(formatDocument(made, 'inference')).toBe('z: last?\na: 1\n\nBody');
    expect(formatDocument(made, 'none')).toBe('Body');
    expect(formatDocument(made, 'embed', {})).toContain('a: 1');
  });

  it('is just the content when there are no metadata to show', () => {
    expect(formatDocument(document('Body'))).toBe('Body');
    const made = document({ text: 'Body', metadata: { a: 1 }, format: excluded });
    expect(formatDocument(made, 'embed')).toBe('Body');
  });

  it('never takes values for templates', () => {
    const made = document('{metadata_string} $& {value}', { k: '{content} {value} {key} $1', '{value}': '{key}' });
    expect(formatDocument(made)).toBe('k: {content} {value} {key} $1\n{value}: {key}\n\n{metadata_string} $& {value}');
  });

  it('uses templates of its own', () => {
    const format = {
      metadataTemplate: '<{key}={value}>',
      metadataSeparator: '',
      textTemplate: '[{metadata_string}|{content}|{other}]',
    };
    expect(formatDocument(document({ text: 'B', metadata: { a: 1, b: 2 }, format }))).toBe('[<a=1><b=2>|B|{other}]');
    expect(formatDocument(document({ text: 'B', format }))).toBe('[|B|{other}]');
    expect(formatDocument(document({ text: 'B', metadata: { a: 1 }, format }), 'none')).toBe('B');
  });

  it('writes the metadata of media alone', () => {
    expect(formatDocument(document({ media: media('image/png', new Uint8Array(1)), metadata: { a: 1 } }))).toBe(
      'a: 1\n\n',
    );
  });

  it('refuses templates that are blank and modes that do not exist', () => {
    const made = document('x');
    expect(() => formatDocument(made, 'all', { textTemplate: '' })).toThrow(
      expect.objectContaining({ subject: 'textTemplate' }),
    );
    expect(() => formatDocument(made, 'all', { metadataTemplate: ' ' })).toThrow(
      expect.objectContaining({ subject: 'metadataTemplate' }),
    );
    expect(() => Reflect.apply(formatDocument, undefined, [made, 'some'])).toThrow(
      expect.objectContaining({ subject: 'mode' }),
    );
  });
});
