/** Puts text together the way a page is laid out: white space collapses, borders of blocks become line ends. */
export interface TextBuilder {
  /** Text of a node; inside `pre` it stays as it is. */
  add(text: string, isPreformatted: boolean): void;
  /** At least this many line ends before the next text. */
  border(lineEnds: number): void;
  /** `<br>`. */
  lineBreak(): void;
  /** A row of a table begins. */
  row(): void;
  /** A cell begins that is not the first of its row. */
  cell(): void;
  /** A cell ends: borders of the blocks in it end with it. */
  cellEnd(): void;
  /** What was built, trimmed; begins anew. */
  take(): string;
}

const INVISIBLE = /[\u00ad\u200b\ufeff]/g;

/** True when there is no white space but single spaces, and nothing invisible: most text, told without a copy. */
function isPlain(text: string): boolean {
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 32 || (unit === 32 && before === 32)) return false;
    if (unit > 127 && (unit === 0xa0 || unit === 0xad || (unit >= 0x1680 && !isLetterRange(unit)))) return false;
    before = unit;
  }
  return true;
}

/** CJK, kana, hangul and surrogates, which hold no white space. */
const isLetterRange = (unit: number): boolean => unit > 0x3000 && unit < 0xfe00;

export function textBuilder(): TextBuilder {
  let parts: string[] = [];
  let lineEnds = 0;
  let isSpaced = false;
  let isLineEmpty = true;
  /** Borders of blocks right at the start of a cell do not end its line. */
  let isCellStart = false;
  let isRowEmpty = false;

  function write(text: string): void {
    if (parts.length > 0 && lineEnds > 0) parts.push('\n'.repeat(lineEnds));
    else if (isSpaced && !isLineEmpty) parts.push(' ');
    parts.push(text);
    lineEnds = 0;
    isSpaced = false;
    isLineEmpty = false;
    isCellStart = false;
    isRowEmpty = false;
  }

  function border(count: number): void {
    if (count === 0 || isCellStart) return;
    lineEnds = Math.max(lineEnds, count);
    isSpaced = false;
    isLineEmpty = true;
  }

  return {
    add(raw, isPreformatted) {
      if (isPreformatted) {
        const text = raw.replace(INVISIBLE, '').replace(/\r\n?/g, '\n');
        if (text !== '') write(text);
        return;
      }
      const text = isPlain(raw) ? raw : raw.replace(INVISIBLE, '').replace(/\s+/g, ' ');
      const start = text.startsWith(' ') ? 1 : 0;
      if (start === 1) isSpaced = true;
      if (text.length === start) return;
      const end = text.endsWith(' ') ? text.length - 1 : text.length;
      write(start === 0 && end === text.length ? text : text.slice(start, end));
      isSpaced = end < text.length;
    },
    border,
    lineBreak() {
      lineEnds = Math.min(lineEnds + 1, 2);
      isSpaced = false;
      isLineEmpty = true;
      isCellStart = false;
    },
    row() {
      border(1);
      isRowEmpty = true;
    },
    cell() {
      if (!isRowEmpty) {
        lineEnds = 0;
        isSpaced = true;
        isLineEmpty = false;
      }
      write('|');
      isSpaced = true;
      isCellStart = true;
    },
    cellEnd() {
      if (!isRowEmpty) lineEnds = 0;
      isCellStart = false;
    },
    take() {
      const text = parts.join('').trim();
      parts = [];
      lineEnds = 0;
      isSpaced = false;
      isLineEmpty = true;
      isCellStart = false;
      return text;
    },
  };
}
