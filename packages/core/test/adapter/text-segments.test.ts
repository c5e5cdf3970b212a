import { textSegments } from '@vernal/core/adapter';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const GRANULARITIES = ['sentence', 'word', 'grapheme'] as const;
type Granularity = (typeof GRANULARITIES)[number];

const ends = (text: string, granularity: Granularity): number[] =>
  Array.from(textSegments(text, granularity), ({ end }) => end);
/** All at once, as it takes too long for large texts. */
const wholeEnds = (text: string, granularity: Granularity): number[] =>
  Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ index, segment }) => index + segment.length);

const between = (first: number, last: number) =>
  fc.integer({ min: first, max: last }).map((point) => String.fromCodePoint(point));
const PIECES = [
  fc.constantFrom('a', 'Word ', 'words ', '. ', '... ', '!', '? ”', '\n', '\r\n', '\t', '3.14', 'e.g. ', '\u2028'),
  // What decides whether the full stop before it ends a sentence may stand far behind it.
  fc.constantFrom('etc. ', '1 ', '2 ', '; ', '3 ', '( ', '4 ', '5 ', '6 ', 'abc', 'Abc', '. '),
  fc.constantFrom('e', '\u0301', '\u0308', '\u200d', '\ufe0f', '\u{e0100}', '\u0600', '\ud83d', '\udc69', '\r', '\n'),
  fc.constantFrom('👩', '👨‍👩‍👧‍👦', '🏽', '👩🏽‍🚀', '🇩', '🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', ' '),
  fc.constantFrom('敏捷', '的', '棕色', '狐狸', '東京都', 'の', '犬', 'コンピュータ', 'ソフトウェア', 'と', '。', '、'),
  fc.constantFrom('สวัสดี', 'ชาว', 'โลก', 'วันนี้', 'อากาศ', 'ดี', 'มาก', 'เที่ยว', 'กัน', 'เถอะ', 'ครับ'),
  fc.constantFrom('क', '्', 'ष', 'ि', 'नमस्ते', '।', ' ', 'ர', 'ற', 'ு'),
  fc.constantFrom('한국', '어', 'ᄒ', 'ᅡ', 'ᆫ', '. '),
  fc.constantFrom('مرحبا', ' ', 'ِ', '؟', 'שלום', '״', '. '),
  between(0x30a1, 0x30fa),
  between(0x1000, 0x104f),
  between(0, 0x2fff),
  between(0x1f000, 0x1faff),
];
/** Some thousand units, so that the text is longer than what is segmented at a time. */
const text = fc
  .oneof(...PIECES.map((piece) => fc.array(piece, { minLength: 20, maxLength: 150 })), fc.array(fc.oneof(...PIECES)))
  .map((pieces) => pieces.join(''))
  .map((one) => (one === '' ? '' : one.repeat(Math.ceil(4_500 / one.length))));

describe('textSegments', () => {
  it.each(GRANULARITIES)('gives each %s of a text as when all of it is segmented at once', (granularity) => {
    fc.assert(
      fc.property(text, (given) => {
        const found = Array.from(textSegments(given, granularity));
        expect(found.map(({ end }) => end).join()).toBe(wholeEnds(given, granularity).join());
        expect(found.every(({ start }, at) => start === (found[at - 1]?.end ?? 0))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('divides a long run of letters that only a dictionary can divide as when it sees all of it', () => {
    let last = 1;
    const letters = Array.from({ length: 16_000 }, () => {
      last = (last * 48_271) % 2_147_483_647;
      // Katakana and Burmese.
      return String.fromCharCode(last % 1_000 < 970 ? 0x30a1 + (last % 90) : 0x1000 + (last % 80));
    });
    const run = letters.join('');
    expect(ends(run, 'word').join()).toBe(wholeEnds(run, 'word').join());
  });

  it('joins what belongs together, however long it is', () => {
    const family = `👨${'\u200d👩'.repeat(2_000)}`;
    expect(ends(`${family}a`, 'grapheme')).toEqual([family.length, family.length + 1]);
    const open = `etc. ${'1 '.repeat(3_000)}small`;
    expect(ends(`${open}. Next`, 'sentence')).toEqual([open.length + 2, open.length + 6]);
    expect(ends(`${open.replace('small', 'Large')}. Next`, 'sentence')[0]).toBe(5);
    const word = 'x'.repeat(5_000);
    expect(ends(`${word} ${word}`, 'word')).toEqual([5_000, 5_001, 10_001]);
    expect(ends('', 'sentence')).toEqual([]);
  });

  it('takes time in proportion to the text: to segment these at once takes minutes', () => {
    const sentence = 'Ten words are in this sentence of ten words here. ';
    expect(ends(sentence.repeat(10_000), 'sentence')).toHaveLength(10_000);
    expect(ends(sentence.repeat(5_000), 'word')).toHaveLength(5_000 * 21);
    expect(ends(sentence.repeat(4_000), 'grapheme')).toHaveLength(4_000 * sentence.length);
    const endless = 'no mark at all '.repeat(70_000);
    expect(ends(`${endless}. ${sentence.repeat(5_000)}`, 'sentence')).toHaveLength(5_001);
  });

  it('looks no further than it is read', () => {
    const large = 'Ten words are in this sentence of ten words here. '.repeat(400_000);
    for (let i = 0; i < 500; i++) expect(textSegments(large, 'sentence').next().value).toEqual({ start: 0, end: 50 });
  });
});
