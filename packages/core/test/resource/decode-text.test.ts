import { type DecodeTextOptions, decodeText } from '@vernal/core';
import { describe, expect, it } from 'vitest';

const decode = (bytes: readonly number[], options?: DecodeTextOptions): string =>
  decodeText(Uint8Array.from(bytes), options).text;

describe('decodeText', () => {
  it('tells the encoding by a byte order mark, which outweighs all else and is no part of the text', () => {
    const utf8 = { encoding: 'utf-8', source: { mimeType: 'text/plain; charset=utf-8' } };
    const marked: readonly (readonly [number[], string])[] = [
      [[0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'utf-8'],
      [[0xff, 0xfe, 0xe9, 0x00], 'utf-16le'],
      [[0xfe, 0xff, 0x00, 0xe9], 'utf-16be'],
    ];
    for (const [bytes, encoding] of marked) {
      expect(decodeText(Uint8Array.from(bytes), { ...utf8, encoding: 'gbk' })).toEqual({ text: 'é', encoding });
      expect(decode(bytes, utf8)).toBe('é');
    }
    expect(decode([0xff, 0xfe])).toBe('');
    expect(decode([0xef, 0xbb, 0xbf])).toBe('');
  });

  it('takes the given encoding, else the charset of the MIME type, else UTF-8', () => {
    const source = { mimeType: 'text/html; Charset="gbk"' };
    expect(decodeText(Uint8Array.of(0xc4, 0xe3), { source })).toEqual({ text: '你', encoding: 'gbk' });
    expect(decode([0xc4, 0xe3], { source: { mimeType: "text/html;charset='gbk'" } })).toBe('你');
    expect(decode([0xe9], { source, encoding: 'latin1' })).toBe('é');
    expect(decode([0x61, 0x00, 0x62, 0x00], { encoding: 'utf-16' })).toBe('ab');
    expect(decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8' });
    expect(decodeText(Uint8Array.of(0xc3, 0xa9))).toEqual({ text: 'é', encoding: 'utf-8' });
  });

  it('decodes every byte of windows-1252, which Latin-1 on the web is', () => {
    const bytes = Array.from({ length: 255 }, (_, i) => i + 1);
    // Source: https://encoding.spec.whatwg.org/windows-1252.html
    const from0x80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
    const text = bytes.map((code) => from0x80[code - 0x80] ?? String.fromCharCode(code)).join('');
    for (const encoding of ['windows-1252', 'latin1', 'iso-8859-1', 'ascii']) {
      for (const fatal of [true, false]) expect(decode(bytes, { encoding, fatal })).toBe(text);
    }
  });

  it('refuses bytes that are not of the encoding, or puts U+FFFD there', () => {
    const source = { uri: 'file:///a/notes.txt', filename: 'notes.txt' };
    const broken: readonly (readonly [number[], string, string])[] = [
      [[0x61, 0xff, 0x62], 'utf-8', 'a\uFFFDb'],
      [[0x61, 0xc3], 'utf-8', 'a\uFFFD'],
      [[0x61, 0x00, 0x62], 'utf-16le', 'a\uFFFD'],
      [[0x61, 0xc4], 'gbk', 'a\uFFFD'],
    ];
    for (const [bytes, encoding, lenient] of broken) {
      expect(decode(bytes, { encoding, fatal: false })).toBe(lenient);
      expect(() => decode(bytes, { encoding, source })).toThrow(
        expect.objectContaining({ code: 'resource', subject: 'notes.txt', details: { reason: 'undecodable' } }),
      );
    }
    expect(() => decode([0xff], { source: { uri: 'mem:a' } })).toThrow(/^mem:a is not utf-8 text: give its encoding/);
  });

  it('refuses what holds NUL, whether it is to be lenient or not', () => {
    const binary = [0x89, 0x50, 0x4e, 0x47, 0x00, 0x0d];
    for (const fatal of [true, false]) {
      expect(() => decode(binary, { encoding: 'latin1', fatal })).toThrow(
        expect.objectContaining({ code: 'resource', subject: 'The resource', details: { reason: 'binary' } }),
      );
    }
    expect(() => decode([0x61, 0x00, 0x62, 0x00])).toThrow(/UTF-16/);
  });

  it('refuses an encoding that nobody knows, of an option or of a MIME type', () => {
    const unknown = expect.objectContaining({ code: 'invalid_argument', subject: 'encoding' });
    expect(() => decode([0x61], { encoding: 'klingon' })).toThrow(unknown);
    expect(() => decode([0x61], { source: { mimeType: 'text/plain; charset=klingon' } })).toThrow(unknown);
  });
});
