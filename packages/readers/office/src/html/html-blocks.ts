import { Parser } from 'htmlparser2';
import type { Reading } from '../reading/reading.js';
import { type Block, itemText } from '../text/block.js';
import { RowBuilder } from '../text/row-builder.js';
import { type Attributes, countAttribute } from '../xml/xml-names.js';
import { headingLevel, isBlock, isHidden } from './html-names.js';

/** Tags that are never closed are common in pages, so more of them may be inside each other than in XML. */
const DEPTH_FACTOR = 10;

export interface HtmlBlocksOptions {
  readonly includeLinkUrls: boolean;
  /** For errors. */
  readonly part?: string;
}

/** The visible text of a page in its order, and its title. Forgives what browsers forgive. */
export function htmlBlocks(
  html: string,
  reading: Reading,
  options: HtmlBlocksOptions,
): { readonly blocks: Block[]; readonly title: string } {
  const page = new HtmlPage(options.includeLinkUrls);
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > reading.limits.maxDepth * DEPTH_FACTOR)
          throw reading.tooLarge('maxDepth', 'has elements too deep inside each other', options.part);
        page.open(name, attributes);
      },
      onclosetag(name) {
        depth--;
        page.close(name);
      },
      ontext(text) {
        page.text(text);
      },
    },
    // An element of XHTML may be closed by itself.
    { recognizeSelfClosing: true },
  );
  parser.end(html);
  page.end();
  return { blocks: page.blocks, title: page.title };
}

interface Table {
  readonly rows: RowBuilder;
  cell: { readonly texts: string[]; readonly columns: number; readonly rows: number } | undefined;
  isFirst: boolean;
  /** A table around another one is there for the layout. */
  isLayout: boolean;
}

interface List {
  readonly isOrdered: boolean;
  count: number;
}

class HtmlPage {
  readonly blocks: Block[] = [];
  title = '';
  readonly #includeLinkUrls: boolean;
  readonly #tables: Table[] = [];
  readonly #lists: List[] = [];
  readonly #links: (string | undefined)[] = [];
  #parts: string[] = [];
  #heading = 0;
  /** Of the item that has no text yet. */
  #marker: string | undefined;
  #items = 0;
  #preformatted = 0;
  #skipped = 0;
  #isTitle = false;

  constructor(includeLinkUrls: boolean) {
    this.#includeLinkUrls = includeLinkUrls;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'title' && this.title === '') this.#isTitle = true;
    if (this.#skipped > 0 || (isHidden(name, attributes) && name !== 'body')) {
      this.#skipped++;
      return;
    }
    if (isBlock(name) || headingLevel(name) > 0 || name === 'li') this.#flush();
    if (headingLevel(name) > 0) this.#heading = headingLevel(name);
    switch (name) {
      case 'br':
        this.#parts.push('\n');
        break;
      case 'img':
        if (attributes['alt']) this.#parts.push(attributes['alt']);
        break;
      case 'a':
        this.#links.push(attributes['href']);
        break;
      case 'pre':
        this.#preformatted++;
        break;
      case 'ul':
      case 'ol':
        this.#lists.push({ isOrdered: name === 'ol', count: countAttribute(attributes, 'start', 1) - 1 });
        break;
      case 'li': {
        const list = this.#lists.at(-1);
        if (list !== undefined) list.count++;
        this.#items++;
        this.#marker = list?.isOrdered ? `${list.count}.` : '-';
        break;
      }
      case 'table':
        if (this.#tables.at(-1)?.cell !== undefined) this.#makeLayout();
        this.#tables.push({ rows: new RowBuilder(), cell: undefined, isFirst: true, isLayout: false });
        break;
      case 'td':
      case 'th':
        this.#flush();
        this.#openCell(attributes);
        break;
    }
  }

  text(text: string): void {
    if (this.#isTitle) this.title += text;
    if (this.#skipped > 0) return;
    this.#parts.push(this.#preformatted > 0 ? text : text.replace(/[\s\u00a0]+/g, ' '));
  }

  close(name: string): void {
    if (name === 'title') this.#isTitle = false;
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    if (isBlock(name) || headingLevel(name) > 0 || name === 'li') this.#flush();
    switch (name) {
      case 'a': {
        const href = this.#links.pop();
        if (this.#includeLinkUrls && href !== undefined && /^(?:https?|mailto):/i.test(href))
          this.#parts.push(` (${href})`);
        break;
      }
      case 'pre':
        this.#preformatted--;
        break;
      case 'ul':
      case 'ol':
        this.#lists.pop();
        break;
      case 'li':
        this.#items--;
        this.#marker = undefined;
        break;
      case 'td':
      case 'th':
        this.#flush();
        this.#closeCell();
        break;
      case 'tr':
        this.#closeRow();
        break;
      case 'table':
        this.#closeRow();
        this.#tables.pop();
        break;
      default:
        if (headingLevel(name) > 0) this.#heading = 0;
    }
  }

  end(): void {
    this.#flush();
    this.title = this.title.replace(/\s+/g, ' ').trim();
  }

  #flush(): void {
    const raw = this.#parts.join('');
    this.#parts = [];
    const clean = raw.replace(/[\u00ad\u200b\ufeff]/g, '');
    const text =
      this.#preformatted > 0
        ? clean.trimEnd().replace(/^\n+/, '')
        : clean
            .replace(/ +/g, ' ')
            .replace(/ ?\n ?/g, '\n')
            .trim();
    if (text.trim() === '') return;
    const cell = this.#tables.at(-1)?.cell;
    if (cell !== undefined) cell.texts.push(text);
    else if (this.#heading > 0) this.blocks.push({ kind: 'heading', level: this.#heading, text });
    else if (this.#items > 0) {
      const depth = Math.max(this.#lists.length - 1, 0);
      // What follows in an item stands below its text.
      const item = this.#marker === undefined ? itemText(text, '', depth + 1) : itemText(text, this.#marker, depth);
      this.#marker = undefined;
      this.blocks.push({ kind: 'item', text: item });
    } else this.blocks.push({ kind: 'paragraph', text });
  }

  #openCell(attributes: Attributes): void {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout) return;
    const columns = Math.min(countAttribute(attributes, 'colspan', 1, 1), 1_000);
    const rows = Math.min(countAttribute(attributes, 'rowspan', 1, 1), 65_534);
    table.cell = { texts: [], columns, rows };
  }

  #closeCell(): void {
    const table = this.#tables.at(-1);
    if (table?.cell === undefined) return;
    const { texts, columns, rows } = table.cell;
    table.cell = undefined;
    table.rows.add(texts.join(' '), columns, rows);
  }

  #closeRow(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout) return;
    this.#closeCell();
    const cells = table.rows.endRow();
    if (cells.length === 0) return;
    this.blocks.push({ kind: 'row', cells, isFirst: table.isFirst });
    table.isFirst = false;
  }

  /** The cells of its row that are over become paragraphs. */
  #makeLayout(): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    const texts = table.cell?.texts ?? [];
    table.cell = undefined;
    for (const text of [...table.rows.endRow(), ...texts])
      if (text !== '') this.blocks.push({ kind: 'paragraph', text });
    table.isLayout = true;
  }
}
