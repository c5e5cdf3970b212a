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
      const text = raw.replace(/[\u00ad\u200b\ufeff]/g, '');
      if (isPreformatted) {
        if (text !== '') write(text.replace(/\r\n?/g, '\n'));
        return;
      }
      const collapsed = text.replace(/\s+/g, ' ');
      if (collapsed.startsWith(' ')) isSpaced = true;
      const trimmed = collapsed.trim();
      if (trimmed === '') return;
      write(trimmed);
      isSpaced = collapsed.endsWith(' ');
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
