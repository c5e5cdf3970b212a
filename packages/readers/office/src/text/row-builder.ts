/** Columns of a row at most; a cell that says it spans more is lying. */
const MOST_COLUMNS = 16_384;

interface Carried {
  readonly text: string;
  readonly isCovered: boolean;
  /** How many more rows it covers. */
  rows: number;
}

/**
 * The cells of a table's rows by column. A cell over several rows is repeated in each of them, so that every row stands by itself; one
 * over several columns stands in the first.
 */
export class RowBuilder {
  #cells: string[] = [];
  readonly #carried = new Map<number, Carried>();

  /** A cell over so many columns and rows. Rows below have no cell in its place, as in HTML. */
  add(text: string, columns = 1, rows = 1): void {
    this.#takeCarried();
    this.#start(text, rows, false);
    this.#pad(columns);
  }

  /**
   * A cell over so many rows, in each of which `addCovered` follows, as in Office; the columns that it covers have cells as well unless
   * `columns` counts them.
   */
  addCovering(text: string, rows = 1, columns = 1): void {
    this.#start(text, rows, true);
    this.#pad(columns);
  }

  /** A cell that is covered by the one above it. */
  addCovered(columns = 1): void {
    const column = this.#cells.length;
    const carried = this.#carried.get(column);
    this.#push(carried?.text ?? '');
    if (carried !== undefined && --carried.rows === 0) this.#carried.delete(column);
    this.#pad(columns);
  }

  /** The row, without the empty cells at its end. */
  endRow(): string[] {
    this.#takeCarried();
    const cells = this.#cells;
    this.#cells = [];
    while (cells.length > 0 && cells.at(-1) === '') cells.pop();
    return cells;
  }

  #takeCarried(): void {
    for (;;) {
      const column = this.#cells.length;
      const carried = this.#carried.get(column);
      if (carried === undefined || carried.isCovered) return;
      if (--carried.rows === 0) this.#carried.delete(column);
      this.#push(carried.text);
    }
  }

  #start(text: string, rows: number, isCovered: boolean): void {
    const column = this.#cells.length;
    if (rows > 1 && text !== '') this.#carried.set(column, { text, isCovered, rows: rows - 1 });
    else this.#carried.delete(column);
    this.#push(text);
  }

  #pad(columns: number): void {
    for (let more = 1; more < columns; more++) if (!this.#push('')) return;
  }

  #push(text: string): boolean {
    if (this.#cells.length >= MOST_COLUMNS) return false;
    this.#cells.push(text);
    return true;
  }
}
