/**
 * Where the character that a reader sees at `index` begins (an emoji of several code points, a letter with its accents), between
 * `from`, which is a beginning, and `index`; `index` itself when one begins there.
 */
export function graphemeStart(text: string, from: number, index: number, segmenter: Intl.Segmenter): number {
  if (index <= from || index >= text.length) return index;
  const unit = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  // Below U+0300 nothing joins what stands before it, but for the line feed of CRLF.
  if (unit < 0x300) return unit === 10 && before === 13 ? index - 1 : index;
  if (isIdeograph(unit) && (before < 0x300 || isIdeograph(before))) return index;
  const end = index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  const segment = segmenter.segment(text.slice(from, end)).containing(index - from);
  return segment === undefined ? index : from + segment.index;
}

const isIdeograph = (unit: number): boolean => unit >= 0x3400 && unit <= 0x9fff;
