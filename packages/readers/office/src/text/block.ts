/** A piece of running text in the order of the page. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A line of a list, with its marker and its indent; the first one may end what was before it. */
  | { readonly kind: 'item'; readonly text: string; readonly isFirst?: boolean }
  /** A row of a table; the first one ends what was before it. */
  | { readonly kind: 'row'; readonly cells: readonly string[]; readonly isFirst: boolean }
  /** A footnote, which stands at the end of its section. */
  | { readonly kind: 'note'; readonly text: string };

/** `- item`, `2. item`, two spaces for each level that it is inside others. */
export function itemText(text: string, marker: string, depth: number): string {
  const indent = '  '.repeat(Math.min(depth, 20));
  const mark = marker === '' ? '' : `${marker} `;
  return `${indent}${mark}${text.replaceAll('\n', `\n${indent}${' '.repeat(mark.length)}`)}`;
}

/** A row on one line, its cells apart. */
export function rowText(cells: readonly string[]): string {
  return cells.map(cellText).join(' | ').trim();
}

/** White space of a cell is one space, so that a row stays on its line. */
export function cellText(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Of the cells of a row together. */
export function lengthOf(cells: readonly string[]): number {
  return cells.reduce((length, cell) => length + cell.length, 0);
}
