import { type Block, cellText } from '../text/block.js';
import { RowBuilder } from '../text/row-builder.js';

/** Rows below that continue a cell say so themselves. */
const UNTIL_ENDED = Number.POSITIVE_INFINITY;
/** As many as Word allows. */
const MOST_COLUMNS = 63;

/** A table as it is read: cells with the texts of their blocks. */
export class WordTable {
  readonly #rows = new RowBuilder();
  #texts: string[] = [];
  #columns = 1;
  #merge: 'restart' | 'continue' | undefined;
  #isFirst = true;
  #isDeleted = false;

  /** Columns that a row leaves out at its beginning. */
  skipColumns(columns: number): void {
    for (let at = 0; at < Math.min(columns, MOST_COLUMNS); at++) this.#rows.add('');
  }

  deleteRow(): void {
    this.#isDeleted = true;
  }

  set columns(columns: number) {
    this.#columns = Math.min(columns, MOST_COLUMNS);
  }

  set merge(merge: 'restart' | 'continue') {
    this.#merge = merge;
  }

  add(text: string): void {
    this.#texts.push(text);
  }

  endCell(): void {
    const text = cellText(this.#texts.join(' '));
    if (this.#merge === 'continue') this.#rows.addCovered(this.#columns);
    else this.#rows.addCovering(text, this.#merge === 'restart' ? UNTIL_ENDED : 1, this.#columns);
    this.#texts = [];
    this.#columns = 1;
    this.#merge = undefined;
  }

  endRow(): Block | undefined {
    const cells = this.#rows.endRow();
    const isDeleted = this.#isDeleted;
    this.#isDeleted = false;
    if (isDeleted || cells.length === 0) return undefined;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return { kind: 'row', cells, isFirst };
  }
}
