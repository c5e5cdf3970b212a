import type { Block } from '../text/block.js';
import { nestedTable } from '../text/nested-table.js';
import { symbol } from '../text/symbol.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute, countAttribute, isOn, relationshipId } from '../xml/xml-names.js';
import { FieldStack } from './field-stack.js';
import { WordParagraph } from './paragraph.js';
import { noteKey, type WordContext } from './word-context.js';
import { WordTable } from './word-table.js';

/** What is not text of the page as it stands: deleted text, older properties, guides to the pronunciation, tab stops. */
const SKIPPED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'del moveFrom rt tabs pPrChange rPrChange tblPrChange tcPrChange trPrChange sectPrChange sdtPr sectPr rubyPr'.split(
    ' ',
  ),
);

/** Where blocks go: the page, the cells of a table, a text box. */
type Place =
  | { readonly kind: 'page' }
  | { readonly kind: 'table'; readonly table: WordTable; readonly rows: Block[] }
  | { readonly kind: 'box'; readonly blocks: Block[] };

/**
 * The blocks of a part of WordprocessingML, in the order of the page. Goes by states and never calls itself, so that any depth will do.
 * Source: ECMA-376 part 1, 17.
 */
export class WordText implements XmlHandler {
  /** What is finished. */
  readonly blocks: Block[] = [];
  readonly #context: WordContext;
  readonly #paragraphs: WordParagraph[] = [];
  readonly #places: Place[] = [{ kind: 'page' }];
  readonly #fields = new FieldStack();
  readonly #links: (string | undefined)[] = [];
  readonly #choices: boolean[] = [];
  readonly #path: string[] = [];
  readonly #notes: string[] = [];
  /** Of notes that were referred to already. */
  readonly #marks = new Map<string, string>();
  readonly #noteCounts = { footnote: 0, endnote: 0 };
  #skipped = 0;
  #isHidden = false;
  #isText: 'text' | 'instruction' | undefined;

  constructor(context: WordContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || this.#isSkipped(name)) {
      this.#skipped++;
      return;
    }
    this.#path.push(name);
    this.#openStructure(name, attributes);
    this.#openInline(name, attributes);
  }

  text(data: string): void {
    if (this.#skipped > 0 || this.#isText === undefined) return;
    if (this.#isText === 'instruction') this.#fields.instruct(data);
    else this.#add(data);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    this.#path.pop();
    switch (name) {
      case 't':
      case 'instrText':
        this.#isText = undefined;
        break;
      case 'r':
        this.#isHidden = false;
        break;
      case 'hyperlink':
        this.#addUrl(this.#links.pop());
        break;
      case 'num':
        this.#add('/');
        break;
      case 'AlternateContent':
        this.#choices.pop();
        break;
      case 'p':
        this.#endParagraph();
        break;
      case 'tc':
        this.#table?.endCell();
        break;
      case 'tr': {
        const row = this.#table?.endRow();
        const place = this.#places.at(-1);
        if (row !== undefined && place?.kind === 'table') {
          if (this.#places.length === 2) this.#finish(row);
          else place.rows.push(row);
        }
        break;
      }
      case 'tbl':
        this.#endTable();
        break;
      case 'txbxContent':
        this.#endBox();
        break;
    }
  }

  get #table(): WordTable | undefined {
    const place = this.#places.at(-1);
    return place?.kind === 'table' ? place.table : undefined;
  }

  #isSkipped(name: string): boolean {
    // A row that is deleted says so in its properties.
    if (name === 'del' && this.#path.at(-1) === 'trPr') this.#table?.deleteRow();
    if (SKIPPED.has(name)) return true;
    const hasChoice = this.#choices.at(-1);
    if (name === 'Choice' && hasChoice === false) this.#choices[this.#choices.length - 1] = true;
    return (name === 'Fallback' || name === 'Choice') && hasChoice === true;
  }

  #openStructure(name: string, attributes: Attributes): void {
    const paragraph = this.#paragraphs.at(-1);
    const value = (): string | undefined => attribute(attributes, 'val');
    switch (name) {
      case 'p':
        this.#paragraphs.push(new WordParagraph());
        break;
      case 'pStyle':
        if (paragraph !== undefined) paragraph.style = value();
        break;
      case 'outlineLvl':
        if (paragraph !== undefined) paragraph.outline = value();
        break;
      case 'numId':
        if (paragraph !== undefined) paragraph.list = value();
        break;
      case 'ilvl':
        if (paragraph !== undefined) paragraph.listLevel = value();
        break;
      case 'tbl':
        this.#places.push({ kind: 'table', table: new WordTable(), rows: [] });
        break;
      case 'gridBefore':
        this.#table?.skipColumns(countAttribute(attributes, 'val', 0));
        break;
      case 'gridSpan':
        if (this.#table !== undefined) this.#table.columns = countAttribute(attributes, 'val', 1, 1);
        break;
      case 'vMerge':
        if (this.#table !== undefined) this.#table.merge = value() === 'restart' ? 'restart' : 'continue';
        break;
      case 'txbxContent':
        this.#places.push({ kind: 'box', blocks: [] });
        break;
      case 'AlternateContent':
        this.#choices.push(false);
        break;
    }
  }

  #openInline(name: string, attributes: Attributes): void {
    switch (name) {
      case 't':
        this.#isText = 'text';
        break;
      case 'instrText':
        this.#isText = 'instruction';
        break;
      case 'vanish':
        if (this.#path.at(-3) === 'r') this.#isHidden = isOn(attributes);
        break;
      case 'tab':
      case 'ptab':
        this.#add('\t');
        break;
      case 'br':
      case 'cr':
        this.#add('\n');
        break;
      case 'noBreakHyphen':
        this.#add('-');
        break;
      case 'sym':
        this.#add(symbol(attribute(attributes, 'font') ?? '', attribute(attributes, 'char') ?? ''));
        break;
      case 'sup':
        this.#add('^');
        break;
      case 'fldChar':
        this.#field(attribute(attributes, 'fldCharType'));
        break;
      case 'hyperlink': {
        const link = this.#context.links.get(relationshipId(attributes) ?? '');
        this.#links.push(link?.isExternal ? link.target : undefined);
        break;
      }
      case 'footnoteReference':
        this.#note('footnote', attribute(attributes, 'id'));
        break;
      case 'endnoteReference':
        this.#note('endnote', attribute(attributes, 'id'));
        break;
    }
  }

  #field(type: string | undefined): void {
    if (type === 'begin') this.#fields.begin();
    else if (type === 'separate') this.#fields.separate();
    else if (type === 'end') this.#addUrl(this.#fields.end());
  }

  #add(text: string): void {
    if (!this.#isHidden && this.#fields.isText) this.#paragraphs.at(-1)?.add(text);
  }

  #addUrl(url: string | undefined): void {
    if (url !== undefined && this.#context.includeLinkUrls) this.#add(` (${url})`);
  }

  #note(kind: 'footnote' | 'endnote', id: string | undefined): void {
    const key = noteKey(kind, id ?? '');
    const text = this.#context.notes.get(key);
    if (text === undefined || text === '') return;
    const known = this.#marks.get(key);
    const mark = known ?? `[^${kind === 'endnote' ? 'e' : ''}${++this.#noteCounts[kind]}]`;
    this.#add(mark);
    if (known !== undefined) return;
    this.#marks.set(key, mark);
    this.#notes.push(`${mark}: ${text}`);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    const block = paragraph.block(
      this.#context,
      this.#places.some(({ kind }) => kind === 'table'),
    );
    if (block !== undefined) this.#emit(block);
    for (const boxed of paragraph.boxes) this.#emit(boxed);
  }

  #endTable(): void {
    const place = this.#places.pop();
    if (place?.kind !== 'table' || this.#places.length === 1) return;
    const outer = this.#places.at(-1);
    if (outer?.kind === 'table') outer.table.add(nestedTable(place.rows, this.#context.reading));
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

  #emit(block: Block): void {
    const place = this.#places.at(-1);
    if (place?.kind === 'box') place.blocks.push(block);
    else if (place?.kind === 'table')
      place.table.add(block.kind === 'row' ? nestedTable([block], this.#context.reading) : block.text);
    else this.#finish(block);
  }

  #finish(block: Block): void {
    this.blocks.push(block);
    for (const text of this.#notes.splice(0)) this.blocks.push({ kind: 'note', text });
  }
}
