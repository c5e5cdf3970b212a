import type { Reading } from '../reading/reading.js';
import { cellPlace } from './cell-reference.js';

/** Longer than the element for a merged area. */
const OVERLAP = 256;
const MOST_AREAS = 200_000;
const AREA = /<(?:[\w.-]{1,50}:)?mergeCell\s[^>]{0,100}?\bref="([A-Za-z]{1,3}\d{1,7}):([A-Za-z]{1,3}\d{1,7})"/g;

interface Area {
  readonly column: number;
  readonly lastRow: number;
}

/**
 * Cells that are merged over several rows: the first one's text is repeated in all of them, so that every row stands by itself. A sheet
 * tells of them behind its rows, so it is looked through once before it is read.
 */
export class MergedCells {
  /** By first row. */
  readonly #areas = new Map<number, Area[]>();
  readonly #open = new Map<number, { readonly text: string; readonly lastRow: number }>();

  static async in(chunks: Iterable<Uint8Array>, reading: Reading): Promise<MergedCells> {
    const merged = new MergedCells();
    const decoder = new TextDecoder('latin1');
    let tail = '';
    let count = 0;
    for (const chunk of chunks) {
      const text = tail + decoder.decode(chunk, { stream: true });
      let end = 0;
      for (const { 0: found, 1: first = '', 2: last = '', index } of text.matchAll(AREA)) {
        end = index + found.length;
        if (++count <= MOST_AREAS) merged.#add(first, last);
      }
      tail = text.slice(Math.max(end, text.length - OVERLAP));
      await reading.turn(chunk.length / 8);
    }
    return merged;
  }

  #add(first: string, last: string): void {
    const from = cellPlace(first);
    const to = cellPlace(last);
    if (from === undefined || to === undefined || to.row <= from.row) return;
    const areas = this.#areas.get(from.row);
    const area = { column: from.column, lastRow: to.row };
    if (areas === undefined) this.#areas.set(from.row, [area]);
    else areas.push(area);
  }

  /** Rows come in their order. */
  fill(row: number, cells: string[]): void {
    for (const [column, { text, lastRow }] of this.#open) {
      if (row > lastRow) this.#open.delete(column);
      else if ((cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('');
        cells[column] = text;
      }
    }
    for (const { column, lastRow } of this.#areas.get(row) ?? []) {
      const text = cells[column] ?? '';
      if (text !== '') this.#open.set(column, { text, lastRow });
    }
  }
}
