import { hex } from 'dingbat-to-unicode';

/** A character of a symbol font as Unicode; '' when nobody knows it. */
export function symbol(font: string, code: string): string {
  const found = hex(font, code) ?? (/^f0..$/i.test(code) ? hex(font, code.slice(2)) : undefined);
  if (found !== undefined) return found.string;
  const point = Number.parseInt(code, 16);
  const isPrivate = point >= 0xe000 && point <= 0xf8ff;
  const isCharacter = point >= 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isCharacter && !isPrivate ? String.fromCodePoint(point) : '';
}
