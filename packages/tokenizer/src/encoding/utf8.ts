/** True when a character outside the basic plane starts at `index`. */
export function isSurrogatePair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** How many UTF-8 bytes the character at `index` has. */
export function utf8Length(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return isSurrogatePair(text, index) ? 4 : 3;
}

/**
 * Writes `text[from..to)` as UTF-8, a byte an element, and gives the number of bytes; `bytes` needs room for three times the units.
 * A lone surrogate becomes U+FFFD, as it does on the wire.
 */
export function writeUtf8(text: string, from: number, to: number, bytes: Uint16Array): number {
  let length = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes[length++] = unit;
    } else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6);
      bytes[length++] = 0x80 | (unit & 0x3f);
    } else if (at + 1 < to && isSurrogatePair(text, at)) {
      const point = text.codePointAt(at++) ?? 0;
      bytes[length++] = 0xf0 | (point >> 18);
      bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    } else {
      const point = unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit;
      bytes[length++] = 0xe0 | (point >> 12);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    }
  }
  return length;
}
