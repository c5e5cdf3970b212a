import type { Reading } from '../reading/reading.js';
import type { SheetRow } from '../text/row-groups.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute, countAttribute } from '../xml/xml-names.js';
import type { CellFormats } from './cell-formats.js';
import { cellPlace, MOST_COLUMNS } from './cell-reference.js';
import type { MergedCells } from './merged-cells.js';

/** What a cell, empty ones included, costs beside its text. */
const CELL_COST = 4;

/** The rows of a worksheet with the texts that its cells show. Source: ECMA-376 part 1, 18.3. */
export class SheetRows implements XmlHandler {
  /** What is finished. */
  readonly rows: SheetRow[] = [];
  readonly #reading: Reading;
  readonly #strings: readonly string[];
  readonly #formats: CellFormats;
  readonly #merged: MergedCells;
  #number = 0;
  #cells: string[] = [];
  #column = 0;
  #type = '';
  #style = 0;
  #value = '';
  #formula = '';
  #into: 'value' | 'formula' | undefined;
  #phonetic = 0;

  constructor(reading: Reading, strings: readonly string[], formats: CellFormats, merged: MergedCells) {
    this.#reading = reading;
    this.#strings = strings;
    this.#formats = formats;
    this.#merged = merged;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#number = countAttribute(attributes, 'r', this.#number + 1, 1);
        this.#cells = [];
        this.#column = 0;
        break;
      case 'c': {
        this.#column = cellPlace(attribute(attributes, 'r') ?? '')?.column ?? this.#column;
        this.#type = attribute(attributes, 't') ?? 'n';
        this.#style = countAttribute(attributes, 's', 0);
        this.#value = '';
        this.#formula = '';
        break;
      }
      case 'v':
        this.#into = 'value';
        break;
      case 't':
        this.#into = this.#phonetic === 0 ? 'value' : undefined;
        break;
      case 'f':
        this.#into = 'formula';
        break;
      case 'rPh':
        this.#phonetic++;
        break;
    }
  }

  text(data: string): void {
    if (this.#into === 'value') this.#value += data;
    else if (this.#into === 'formula') this.#formula += data;
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
      case 'f':
        this.#into = undefined;
        break;
      case 'rPh':
        this.#phonetic--;
        break;
      case 'c':
        this.#endCell();
        break;
      case 'row':
        this.#endRow();
        break;
    }
  }

  #endCell(): void {
    const text = this.#cellText();
    if (text !== '' && this.#column < MOST_COLUMNS) {
      while (this.#cells.length < this.#column) this.#cells.push('');
      this.#cells[this.#column] = text;
    }
    this.#column++;
  }

  #cellText(): string {
    const value = this.#value;
    // Nobody has calculated it yet.
    if (value === '') return this.#formula === '' ? '' : `=${this.#formula}`;
    switch (this.#type) {
      case 's':
        return this.#strings[Number(value)] ?? '';
      case 'b':
        return value.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'n':
        return this.#formats.text(Number(value), this.#style);
      case 'd':
        return value
          .trim()
          .replace(/T00:00(:00(\.0+)?)?Z?$/, '')
          .replace('T', ' ');
      default:
        return value;
    }
  }

  #endRow(): void {
    this.#merged.fill(this.#number, this.#cells);
    if (this.#cells.length === 0) return;
    this.#reading.countText(this.#cells.reduce((length, cell) => length + cell.length + CELL_COST, 0));
    this.rows.push({ number: this.#number, cells: this.#cells });
  }
}
