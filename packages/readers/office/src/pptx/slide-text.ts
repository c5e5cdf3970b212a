import { type Block, cellText, itemText } from '../text/block.js';
import { RowBuilder } from '../text/row-builder.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute, countAttribute, relationshipId } from '../xml/xml-names.js';
import { ListCounter } from './list-counter.js';

/** Placeholders that say the same on each slide. */
const MARGINS: ReadonlySet<string> = /* @__PURE__ */ new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const TITLES: ReadonlySet<string> = /* @__PURE__ */ new Set(['title', 'ctrTitle']);
const DEEPEST_LEVEL = 8;

interface Paragraph {
  readonly parts: string[];
  level: number;
  /** '-' for a bullet, a type of numbers, '' where it is said that there is none. */
  marker: string | undefined;
  start: number;
}

/** The text of a slide, of its notes, or of a diagram, in the order of the shapes. Source: ECMA-376 part 1, 19.3 and 21.1. */
export class SlideText implements XmlHandler {
  readonly blocks: Block[] = [];
  title: string | undefined;
  isHidden = false;
  readonly #links: ReadonlyMap<string, string>;
  /** Of the shape that is read. */
  #placeholder: string | undefined;
  #isShapeHidden = false;
  #shape: Block[] = [];
  #list = new ListCounter();
  #paragraph: Paragraph | undefined;
  #link: string | undefined;
  #isText = false;
  #isNumberField = false;
  readonly #choices: boolean[] = [];
  #skipped = 0;
  #rows: RowBuilder | undefined;
  #cell: { readonly texts: string[]; readonly attributes: Attributes } | undefined;
  #isFirstRow = true;

  /** `links`: addresses by id, empty when they are not wanted. */
  constructor(links: ReadonlyMap<string, string>) {
    this.#links = links;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || this.#isSkipped(name)) {
      this.#skipped++;
      return;
    }
    this.#openShape(name, attributes);
    this.#openText(name, attributes);
  }

  text(data: string): void {
    if (this.#skipped === 0 && this.#isText && !this.#isNumberField) this.#paragraph?.parts.push(data);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    switch (name) {
      case 't':
        this.#isText = false;
        break;
      case 'fld':
        this.#isNumberField = false;
        break;
      case 'r':
        if (this.#link !== undefined) this.#paragraph?.parts.push(` (${this.#link})`);
        this.#link = undefined;
        break;
      case 'p':
        this.#endParagraph();
        break;
      case 'tc':
        this.#endCell();
        break;
      case 'tr':
        this.#endRow();
        break;
      case 'tbl':
        this.#rows = undefined;
        break;
      case 'sp':
      case 'graphicFrame':
        this.#endShape();
        break;
      case 'AlternateContent':
        this.#choices.pop();
        break;
    }
  }

  #isSkipped(name: string): boolean {
    const hasChoice = this.#choices.at(-1);
    if (name === 'Choice' && hasChoice === false) this.#choices[this.#choices.length - 1] = true;
    return (name === 'Fallback' || name === 'Choice') && hasChoice === true;
  }

  #openShape(name: string, attributes: Attributes): void {
    switch (name) {
      case 'sld':
        this.isHidden = ['0', 'false'].includes(attribute(attributes, 'show') ?? '1');
        break;
      case 'AlternateContent':
        this.#choices.push(false);
        break;
      case 'sp':
      case 'graphicFrame':
        this.#endShape();
        break;
      case 'cNvPr':
        this.#isShapeHidden = ['1', 'true'].includes(attribute(attributes, 'hidden') ?? '0');
        break;
      case 'ph':
        this.#placeholder = attribute(attributes, 'type') ?? 'obj';
        break;
      case 'txBody':
        this.#list = new ListCounter();
        break;
      case 'tbl':
        this.#rows = new RowBuilder();
        this.#isFirstRow = true;
        break;
      case 'tc':
        this.#cell = { texts: [], attributes };
        break;
    }
  }

  #openText(name: string, attributes: Attributes): void {
    const paragraph = this.#paragraph;
    switch (name) {
      case 'p':
        this.#paragraph = { parts: [], level: 0, marker: undefined, start: 1 };
        break;
      case 'pPr':
        if (paragraph !== undefined) paragraph.level = Math.min(countAttribute(attributes, 'lvl', 0), DEEPEST_LEVEL);
        break;
      case 'buNone':
        if (paragraph !== undefined) paragraph.marker = '';
        break;
      case 'buChar':
      case 'buBlip':
        if (paragraph !== undefined) paragraph.marker = '-';
        break;
      case 'buAutoNum':
        if (paragraph === undefined) break;
        paragraph.marker = attribute(attributes, 'type') ?? 'arabicPeriod';
        paragraph.start = countAttribute(attributes, 'startAt', 1, 1);
        break;
      case 't':
        this.#isText = true;
        break;
      case 'br':
        paragraph?.parts.push('\n');
        break;
      case 'fld':
        this.#isNumberField = attribute(attributes, 'type') === 'slidenum';
        break;
      case 'hlinkClick':
        this.#link = this.#links.get(relationshipId(attributes) ?? '');
        break;
    }
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (paragraph === undefined) return;
    const text = paragraph.parts.join('').replaceAll('\u000b', '\n').trim();
    if (text === '') return;
    if (this.#cell !== undefined) this.#cell.texts.push(text);
    else this.#shape.push(this.#block(text, paragraph));
  }

  #block(text: string, { level, marker = level > 0 ? '-' : '', start }: Paragraph): Block {
    if (marker === '' || marker === '-') this.#list.end(level);
    const mark = marker === '' || marker === '-' ? marker : this.#list.next(level, marker, start);
    // The paragraphs of a shape are its lines.
    const isFirst = this.#shape.at(-1)?.kind !== 'item';
    return { kind: 'item', text: itemText(text, mark, mark === '' ? 0 : level), isFirst };
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined || this.#rows === undefined) return;
    const { texts, attributes } = cell;
    const isOn = (name: string): boolean => ['1', 'true'].includes(attribute(attributes, name) ?? '0');
    if (isOn('vMerge')) this.#rows.addCovered();
    else
      this.#rows.addCovering(
        isOn('hMerge') ? '' : cellText(texts.join(' ')),
        countAttribute(attributes, 'rowSpan', 1, 1),
      );
  }

  #endRow(): void {
    const cells = this.#rows?.endRow() ?? [];
    if (cells.length === 0) return;
    this.#shape.push({ kind: 'row', cells, isFirst: this.#isFirstRow });
    this.#isFirstRow = false;
  }

  /** Also where a shape begins: text of a diagram stands in none. */
  #endShape(): void {
    const placeholder = this.#placeholder ?? '';
    const blocks = this.#shape;
    const isLeftOut = this.#isShapeHidden || MARGINS.has(placeholder);
    this.#shape = [];
    this.#placeholder = undefined;
    this.#isShapeHidden = false;
    if (isLeftOut) return;
    if (TITLES.has(placeholder) && this.title === undefined) {
      const title = blocks.map((block) => (block.kind === 'row' ? '' : block.text)).join(' ');
      this.title = cellText(title);
      if (this.title !== '') this.blocks.unshift({ kind: 'heading', level: 1, text: this.title });
    } else for (const block of blocks) this.blocks.push(block);
  }

  /** Behind the last element. */
  end(): void {
    this.#endShape();
  }
}
