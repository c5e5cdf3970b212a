import type { Reading } from '../reading/reading.js';
import { type Block, lengthOf, rowText } from './block.js';

/** A table inside a cell, on the line of that cell. */
export function nestedTable(rows: readonly Block[], reading: Reading): string {
  for (const row of rows) reading.countText(row.kind === 'row' ? lengthOf(row.cells) : row.text.length);
  const lines = rows.map((row) => (row.kind === 'row' ? rowText(row.cells) : row.text));
  return lines.length === 0 ? '' : `[${lines.join('; ')}]`;
}
