import { type Block, cellText } from '../text/block.js';
import { RowBuilder } from '../text/row-builder.js';
import { type Attributes, countAttribute } from '../xml/xml-names.js';

/** A cell may say that it is there so many times. */
const MOST_REPEATED = 1_024;

/** A table of a text or a slide. */
export class OdfTable {
  readonly #rows = new RowBuilder();
  #texts: string[] = [];
  #cell: Attributes = {};
  #isCovered = false;
  #isFirst = true;

  openCell(attributes: Attributes, isCovered: boolean): void {
    this.#texts = [];
    this.#cell = attributes;
    this.#isCovered = isCovered;
  }

  add(text: string): void {
    this.#texts.push(text);
  }

  closeCell(): void {
    const text = cellText(this.#texts.join(' '));
    this.#texts = [];
    const repeated = Math.min(countAttribute(this.#cell, 'number-columns-repeated', 1, 1), MOST_REPEATED);
    for (let at = 0; at < repeated; at++) {
      if (this.#isCovered) this.#rows.addCovered();
      else this.#rows.addCovering(text, countAttribute(this.#cell, 'number-rows-spanned', 1, 1));
    }
  }

  closeRow(): Block | undefined {
    const cells = this.#rows.endRow();
    if (cells.length === 0) return undefined;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return { kind: 'row', cells, isFirst };
  }
}
