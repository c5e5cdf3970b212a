import { decodeWhole } from '../text/decode-whole.js';

/** Code pages of fonts, by what RTF calls their character set. */
const CODE_PAGES: Readonly<Record<number, number>> = {
  ...{ 77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1_253, 162: 1_254, 163: 1_258, 177: 1_255, 178: 1_256 },
  ...{ 186: 1_257, 204: 1_251, 222: 874, 238: 1_250 },
};
const LABELS: Readonly<Record<number, string>> = {
  ...{
    866: 'ibm866',
    874: 'windows-874',
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    10000: 'macintosh',
  },
  ...{ 10007: 'x-mac-cyrillic', 20866: 'koi8-r', 28592: 'iso-8859-2', 65001: 'utf-8' },
};

/** Undefined for sets that say nothing, such as the default one: the code page of the file holds. */
export function codePageOf(characterSet: number): number | undefined {
  return CODE_PAGES[characterSet];
}

/** Fonts of symbols, whose characters are not letters. */
export const SYMBOL_SET = 2;

const decoders = new Map<number, InstanceType<typeof TextDecoder>>();

/** Bytes of a code page as text; pages that the platform does not know are read as windows-1252. */
export function decodeCodePage(bytes: readonly number[], page: number): string {
  let decoder = decoders.get(page);
  if (decoder === undefined) {
    const label = LABELS[page] ?? (page >= 1_250 && page <= 1_258 ? `windows-${page}` : 'windows-1252');
    decoder = new TextDecoder(label);
    decoders.set(LABELS[page] === undefined && label === 'windows-1252' ? 1_252 : page, decoder);
  }
  return decodeWhole(decoder, new Uint8Array(bytes));
}
