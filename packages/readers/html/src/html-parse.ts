import { DomHandler, Parser } from 'htmlparser2';
import { borderOf, isCell } from './html-node.js';

/** Elements inside each other; Chromium's parser stops there, too. The parser's work on a tag grows with the depth it is at. */
const DEEPEST = 512;

/** Their content is text by itself, whatever is around them. */
const RAW_TEXT = /^(?:script|style|title|textarea|xmp)$/;

/** The root of a parsed page. */
export type HtmlDocument = DomHandler['root'];

class PageHandler extends DomHandler {
  get depth(): number {
    return this.tagStack.length;
  }
}

/** Passes over the tags of elements that are too deep. Their text stays, in the element around it. */
class PageParser extends Parser {
  readonly #html: string;
  readonly #page: PageHandler;
  /** Open elements that were passed over, by name. */
  readonly #passed = new Map<string, number>();
  #isPassing = false;

  constructor(html: string, page: PageHandler) {
    super(page);
    this.#html = html;
    this.#page = page;
  }

  override onopentagname(start: number, end: number): void {
    const name = this.#page.depth > DEEPEST ? this.#nameAt(start, end) : '';
    if (name === '' || RAW_TEXT.test(name) || this.isVoidElement(name)) {
      super.onopentagname(start, end);
      return;
    }
    this.#isPassing = true;
    this.#passed.set(name, (this.#passed.get(name) ?? 0) + 1);
    this.#keepApart(name);
  }

  override onopentagend(end: number): void {
    if (!this.#isPassing) super.onopentagend(end);
    this.#isPassing = false;
  }

  override onselfclosingtag(end: number): void {
    if (!this.#isPassing) super.onselfclosingtag(end);
    this.#isPassing = false;
  }

  override onclosetag(start: number, end: number): void {
    if (this.#passed.size === 0) {
      super.onclosetag(start, end);
      return;
    }
    const name = this.#nameAt(start, end);
    const open = this.#passed.get(name) ?? 0;
    if (open > 0) {
      this.#passed.set(name, open - 1);
      this.#keepApart(name);
      return;
    }
    super.onclosetag(start, end);
    // All that was passed over was inside of what is now closed.
    if (this.#page.depth <= DEEPEST) this.#passed.clear();
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }

  #keepApart(name: string): void {
    if (borderOf(name) > 0 || isCell(name)) this.#page.ontext(' ');
  }
}

/** The tree of a page, at most 512 elements deep, so that no page takes more than linear time. */
export function parseHtml(html: string): HtmlDocument {
  const page = new PageHandler();
  new PageParser(html, page).end(html);
  return page.root;
}
