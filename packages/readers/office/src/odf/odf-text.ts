import type { Reading } from '../reading/reading.js';
import { type Block, itemText } from '../text/block.js';
import { nestedTable } from '../text/nested-table.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute, countAttribute } from '../xml/xml-names.js';
import { OdfLists } from './odf-lists.js';
import { OdfParagraph } from './odf-paragraph.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfTable } from './odf-table.js';

export interface OdfTextOptions {
  readonly reading: Reading;
  /** The paragraphs of a shape are its lines. Default false. */
  readonly isSlide?: boolean;
  readonly includeNotes: boolean;
  readonly includeLinkUrls: boolean;
}

/** Deleted text, comments, guides to the pronunciation, and what is not text. */
const SKIPPED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'tracked-changes annotation annotation-end ruby-text hidden-text note-citation forms scripts binary-data object index-title-template'.split(
    ' ',
  ),
);
/** Elements in which `title` and `desc` are text; elsewhere they describe a drawing. */
const INLINE: ReadonlySet<string> = /* @__PURE__ */ new Set(['p', 'h', 'span', 'a']);

type Place =
  | { readonly kind: 'page' }
  | { readonly kind: 'table'; readonly table: OdfTable; readonly rows: Block[] }
  | { readonly kind: 'box'; readonly blocks: Block[] }
  | { readonly kind: 'note'; readonly mark: string; readonly texts: string[] };

/**
 * The blocks of OpenDocument text, in the order of the page; of a whole document, or of what stands in a shape. Goes by states and never
 * calls itself. Source: OpenDocument 1.3 part 3, 5 and 6.
 */
export class OdfText implements XmlHandler {
  /** What is finished. */
  readonly blocks: Block[] = [];
  readonly #styles: OdfStyles;
  readonly #options: OdfTextOptions;
  readonly #lists: OdfLists;
  readonly #paragraphs: OdfParagraph[] = [];
  readonly #places: Place[] = [{ kind: 'page' }];
  readonly #links: (string | undefined)[] = [];
  readonly #path: string[] = [];
  readonly #notes: string[] = [];
  /** By list: how many places were around it. A note or a box inside an item is no part of the list. */
  readonly #listPlaces: number[] = [];
  readonly #noteCounts = { footnote: 0, endnote: 0 };
  #skipped = 0;
  #isShapeStart = false;

  constructor(styles: OdfStyles, options: OdfTextOptions) {
    this.#styles = styles;
    this.#options = options;
    this.#lists = new OdfLists(styles);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || this.#isSkipped(name, attributes)) {
      this.#skipped++;
      return;
    }
    this.#path.push(name);
    this.#openBlock(name, attributes);
    this.#openInline(name, attributes);
  }

  text(data: string): void {
    if (this.#skipped === 0) this.#paragraphs.at(-1)?.addText(data);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    this.#path.pop();
    switch (name) {
      case 'p':
      case 'h':
        this.#endParagraph();
        break;
      case 'a': {
        const url = this.#links.pop();
        if (url !== undefined && this.#options.includeLinkUrls) this.#paragraphs.at(-1)?.addExactly(` (${url})`);
        break;
      }
      case 'list':
        this.#lists.close();
        this.#listPlaces.pop();
        break;
      case 'list-item':
      case 'list-header':
        this.#lists.closeItem();
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#table?.closeCell();
        break;
      case 'table-row':
        this.#endRow();
        break;
      case 'table':
        this.#endTable();
        break;
      case 'text-box':
        this.#endBox();
        break;
      case 'note-body':
        this.#endNote();
        break;
    }
  }

  /** What follows is in another shape. */
  beginShape(): void {
    this.#isShapeStart = true;
  }

  get #table(): OdfTable | undefined {
    const place = this.#places.at(-1);
    return place?.kind === 'table' ? place.table : undefined;
  }

  #isSkipped(name: string, attributes: Attributes): boolean {
    if (name === 'title' || name === 'desc') return !INLINE.has(this.#path.at(-1) ?? '');
    if (name === 'span') return this.#styles.isHidden('text', attribute(attributes, 'style-name'));
    return SKIPPED.has(name) || (name === 'note' && !this.#options.includeNotes);
  }

  #openBlock(name: string, attributes: Attributes): void {
    const style = (): string | undefined => attribute(attributes, 'style-name');
    switch (name) {
      case 'p':
        this.#paragraphs.push(
          new OdfParagraph(this.#styles.isTitle(style()) ? 0 : undefined, this.#styles.isHidden('paragraph', style())),
        );
        break;
      case 'h': {
        const level = Math.min(countAttribute(attributes, 'outline-level', 1, 1), 10);
        const heading = new OdfParagraph(level, this.#styles.isHidden('paragraph', style()));
        const number =
          this.#listPlaces.length > 0 || attribute(attributes, 'is-list-header') === 'true'
            ? ''
            : this.#lists.heading(level);
        if (number !== '') heading.addText(`${number} `);
        this.#paragraphs.push(heading);
        break;
      }
      case 'list':
        this.#lists.open(attributes);
        this.#listPlaces.push(this.#places.length);
        break;
      case 'list-item':
      case 'list-header':
        this.#lists.openItem(attributes, name === 'list-header');
        break;
      case 'table':
        this.#places.push({ kind: 'table', table: new OdfTable(), rows: [] });
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#table?.openCell(attributes, name === 'covered-table-cell');
        break;
      case 'text-box':
        this.#places.push({ kind: 'box', blocks: [] });
        break;
    }
  }

  #openInline(name: string, attributes: Attributes): void {
    const paragraph = this.#paragraphs.at(-1);
    switch (name) {
      case 's':
        paragraph?.addExactly(' '.repeat(Math.min(countAttribute(attributes, 'c', 1, 1), 100)));
        break;
      case 'tab':
        paragraph?.addExactly('\t');
        break;
      case 'line-break':
        paragraph?.addExactly('\n');
        break;
      case 'a':
        this.#links.push(attribute(attributes, 'href'));
        break;
      case 'note': {
        const kind = attribute(attributes, 'note-class') === 'endnote' ? 'endnote' : 'footnote';
        const mark = `[^${kind === 'endnote' ? 'e' : ''}${++this.#noteCounts[kind]}]`;
        paragraph?.addExactly(mark);
        this.#places.push({ kind: 'note', mark, texts: [] });
        break;
      }
    }
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    const { text, level } = paragraph;
    const isInTable = this.#places.some(({ kind }) => kind === 'table');
    if (level !== undefined && !isInTable && text !== '') this.#emit({ kind: 'heading', level, text });
    else if (this.#listPlaces.at(-1) === this.#places.length) {
      const { marker, depth } = this.#lists.next();
      if (text !== '') this.#emitItem(itemText(text, marker, depth));
    } else if (text !== '' && this.#options.isSlide === true) this.#emitItem(text);
    else if (text !== '') this.#emit({ kind: 'paragraph', text });
    for (const block of paragraph.boxes) this.#emit(block);
  }

  #emitItem(text: string): void {
    this.#emit({ kind: 'item', text, isFirst: this.#isShapeStart });
    this.#isShapeStart = false;
  }

  #endRow(): void {
    const place = this.#places.at(-1);
    const row = this.#table?.closeRow();
    if (row === undefined || place?.kind !== 'table') return;
    if (this.#places.length === 2) this.#finish(row);
    else place.rows.push(row);
  }

  #endTable(): void {
    const place = this.#places.pop();
    if (place?.kind !== 'table' || place.rows.length === 0) return;
    const outer = this.#places.at(-1);
    if (outer?.kind === 'table') outer.table.add(nestedTable(place.rows, this.#options.reading));
    else for (const row of place.rows) this.#emit(row);
  }

  #endBox(): void {
    const place = this.#places.pop();
    if (place?.kind !== 'box') return;
    const anchor = this.#paragraphs.at(-1);
    for (const block of place.blocks) {
      if (anchor === undefined) this.#emit(block);
      else anchor.boxes.push(block);
    }
  }

  #endNote(): void {
    const place = this.#places.pop();
    if (place?.kind === 'note') this.#notes.push(`${place.mark}: ${place.texts.join(' ')}`);
  }

  #emit(block: Block): void {
    const place = this.#places.at(-1);
    const text = (): string => (block.kind === 'row' ? nestedTable([block], this.#options.reading) : block.text);
    if (place?.kind === 'box') place.blocks.push(block);
    else if (place?.kind === 'table') place.table.add(text());
    else if (place?.kind === 'note') place.texts.push(text().replace(/\s+/g, ' ').trim());
    else this.#finish(block);
  }

  #finish(block: Block): void {
    this.blocks.push(block);
    for (const text of this.#notes.splice(0)) this.blocks.push({ kind: 'note', text });
  }
}
