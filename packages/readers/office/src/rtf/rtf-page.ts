import { type Block, cellText, itemText, rowText } from '../text/block.js';
import { RowBuilder } from '../text/row-builder.js';
import { wellFormed } from '../text/well-formed.js';

/** Rows below that continue a cell say so themselves. */
const UNTIL_ENDED = Number.POSITIVE_INFINITY;

type Merge = 'begins' | 'goes on' | 'is covered' | undefined;

/** What a paragraph is when it ends. */
export interface ParagraphKind {
  readonly headingLevel: number | undefined;
  readonly listLevel: number;
  readonly isInTable: boolean;
}

/** A page that is put together word by word: the page itself, a note, or a box. */
export class RtfPage {
  readonly blocks: Block[] = [];
  /** Of what is read now; they follow its block. */
  readonly notes: string[] = [];
  readonly boxes: Block[] = [];
  #parts: string[] = [];
  #marker = '';
  #cell: string[] = [];
  #cells: string[] = [];
  #rows = new RowBuilder();
  #merges: Merge[] = [];
  #merge: Merge;
  #isTable = false;

  add(text: string): void {
    this.#parts.push(text);
  }

  set marker(text: string) {
    this.#marker = text;
  }

  endParagraph({ headingLevel, listLevel, isInTable }: ParagraphKind): void {
    const text = wellFormed(this.#parts.join('').trim());
    const marker = this.#marker;
    this.#parts = [];
    this.#marker = '';
    if (isInTable) {
      if (text !== '') this.#cell.push(marker === '' ? text : `${marker} ${text}`);
      return;
    }
    if (text !== '') {
      this.#endTable();
      this.#push(blockOf(text, marker, headingLevel, listLevel));
    }
    for (const block of this.boxes.splice(0)) this.#push(block);
  }

  endCell(): void {
    this.endParagraph({ headingLevel: undefined, listLevel: 0, isInTable: true });
    this.#cells.push(cellText(this.#cell.join(' ')));
    this.#cell = [];
  }

  /** A cell or a row of a table inside a cell. */
  endNested(mark: string): void {
    this.endParagraph({ headingLevel: undefined, listLevel: 0, isInTable: true });
    const last = this.#cell.pop();
    if (last !== undefined) this.#cell.push(`${last}${mark}`);
  }

  beginRow(): void {
    this.#merges = [];
    this.#merge = undefined;
  }

  set merge(merge: Merge) {
    this.#merge = merge;
  }

  /** The right border of a cell ends what is said of it. */
  endCellDefinition(): void {
    if (this.#merges.length < 1_000) this.#merges.push(this.#merge);
    this.#merge = undefined;
  }

  endRow(): void {
    if (!this.#isTable) this.#rows = new RowBuilder();
    for (const [at, text] of this.#cells.entries()) {
      const merge = this.#merges[at];
      if (merge === 'goes on') this.#rows.addCovered();
      else this.#rows.addCovering(merge === 'is covered' ? '' : text, merge === 'begins' ? UNTIL_ENDED : 1);
    }
    this.#cells = [];
    const cells = this.#rows.endRow();
    if (cells.length === 0) return;
    this.#push({ kind: 'row', cells, isFirst: !this.#isTable });
    this.#isTable = true;
  }

  /** What a cut page leaves is text all the same. */
  end(): void {
    this.endParagraph({ headingLevel: undefined, listLevel: 0, isInTable: false });
    this.#endTable();
  }

  get text(): string {
    return this.blocks
      .map((block) => (block.kind === 'row' ? rowText(block.cells) : block.text))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
  }

  #endTable(): void {
    const left = [...this.#cells, ...this.#cell].filter((text) => text !== '');
    this.#cells = [];
    this.#cell = [];
    this.#isTable = false;
    for (const text of left) this.#push({ kind: 'paragraph', text });
  }

  #push(block: Block): void {
    this.blocks.push(block);
    for (const text of this.notes.splice(0)) this.blocks.push({ kind: 'note', text });
  }
}

function blockOf(text: string, marker: string, headingLevel: number | undefined, listLevel: number): Block {
  if (headingLevel !== undefined) {
    const number = marker === '' || marker === '-' ? '' : `${marker} `;
    return { kind: 'heading', level: headingLevel, text: `${number}${text}` };
  }
  return marker === '' ? { kind: 'paragraph', text } : { kind: 'item', text: itemText(text, marker, listLevel) };
}
