import type { Reading } from '../reading/reading.js';
import { RowBuilder } from '../text/row-builder.js';
import type { SheetRow } from '../text/row-groups.js';
import type { Sheet } from '../text/sheet-units.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute, countAttribute } from '../xml/xml-names.js';
import { OdfParagraph } from './odf-paragraph.js';
import type { OdfStyles } from './odf-styles.js';

/** What a cell, empty ones included, costs beside its text. */
const CELL_COST = 4;
const SKIPPED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'annotation tracked-changes shapes forms frame custom-shape ruby-text'.split(' '),
);

/** A sheet that begins, or a row of the one that began last. */
export type OdsItem = { readonly sheet: Sheet } | { readonly row: SheetRow };

/** The sheets of an OpenDocument spreadsheet, row by row. Source: OpenDocument 1.3 part 3, 9. */
export class OdsSheets implements XmlHandler {
  /** What is finished. */
  readonly items: OdsItem[] = [];
  readonly #reading: Reading;
  readonly #styles: OdfStyles;
  readonly #dates: 'iso' | 'formatted';
  #sheets = 0;
  #tables = 0;
  #rows = new RowBuilder();
  #number = 0;
  #repeatedRows = 1;
  /** Empty cells that matter only when another one follows. */
  #empty = 0;
  #cost = 0;
  #cell: { readonly attributes: Attributes; readonly isCovered: boolean; readonly texts: string[] } | undefined;
  #paragraph: OdfParagraph | undefined;
  #skipped = 0;

  constructor(reading: Reading, styles: OdfStyles, dates: 'iso' | 'formatted') {
    this.#reading = reading;
    this.#styles = styles;
    this.#dates = dates;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || SKIPPED.has(name)) {
      this.#skipped++;
      return;
    }
    switch (name) {
      case 'table':
        if (this.#tables++ === 0) this.#openSheet(attributes);
        break;
      case 'table-row':
        this.#repeatedRows = countAttribute(attributes, 'number-rows-repeated', 1, 1);
        this.#empty = 0;
        this.#cost = 0;
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#cell = { attributes, isCovered: name === 'covered-table-cell', texts: [] };
        break;
      case 'p':
        this.#paragraph = new OdfParagraph(undefined, false);
        break;
      case 's':
        this.#paragraph?.addExactly(' '.repeat(Math.min(countAttribute(attributes, 'c', 1, 1), 100)));
        break;
      case 'tab':
      case 'line-break':
        this.#paragraph?.addExactly(' ');
        break;
    }
  }

  text(data: string): void {
    if (this.#skipped === 0) this.#paragraph?.addText(data);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    switch (name) {
      case 'p':
        this.#cell?.texts.push(this.#paragraph?.text ?? '');
        this.#paragraph = undefined;
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#endCell();
        break;
      case 'table-row':
        this.#endRow();
        break;
      case 'table':
        this.#tables--;
        break;
    }
  }

  #openSheet(attributes: Attributes): void {
    this.#sheets++;
    this.#rows = new RowBuilder();
    this.#number = 0;
    const isHidden = this.#styles.isHidden('table', attribute(attributes, 'style-name'));
    this.items.push({ sheet: { name: attribute(attributes, 'name') ?? '', number: this.#sheets, isHidden } });
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined || this.#tables !== 1) return;
    const { attributes, isCovered } = cell;
    const text = isCovered ? '' : this.#cellText(attributes, cell.texts);
    const repeated = countAttribute(attributes, 'number-columns-repeated', 1, 1);
    if (text === '' && !isCovered) {
      this.#empty += repeated;
      return;
    }
    this.#charge((this.#empty + repeated) * CELL_COST + text.length * repeated);
    for (; this.#empty > 0; this.#empty--) this.#rows.addCovering('');
    const rows = countAttribute(attributes, 'number-rows-spanned', 1, 1);
    for (let at = 0; at < repeated; at++) {
      if (isCovered) this.#rows.addCovered();
      else this.#rows.addCovering(text, rows);
    }
  }

  #cellText(attributes: Attributes, texts: readonly string[]): string {
    const shown = texts.join(' ').trim();
    const date = attribute(attributes, 'date-value');
    if (date !== undefined && this.#dates === 'iso') return date.replace(/T00:00:00(\.0+)?$/, '').replace('T', ' ');
    return shown === '' ? (attribute(attributes, 'string-value') ?? attribute(attributes, 'value') ?? '') : shown;
  }

  #endRow(): void {
    const first = this.#number + 1;
    this.#number += this.#repeatedRows;
    if (this.#tables !== 1) return;
    const cells = this.#rows.endRow();
    if (cells.length === 0) return;
    for (let at = 0; at < this.#repeatedRows; at++) {
      if (at > 0) this.#reading.countText(this.#cost);
      this.items.push({ row: { number: first + at, cells } });
    }
  }

  #charge(cost: number): void {
    this.#cost += cost;
    this.#reading.countText(cost);
  }
}
