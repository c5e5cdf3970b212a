import type { Block } from '../text/block.js';

/** A paragraph or heading as it is read: white space collapses as in HTML, but for what is written as an element. */
export class OdfParagraph {
  /** 0 for the title of the document, from 1 for headings, undefined for paragraphs. */
  readonly level: number | undefined;
  /** What stands in frames anchored in it. */
  readonly boxes: Block[] = [];
  readonly #isHidden: boolean;
  readonly #parts: string[] = [];
  #endsWithSpace = true;

  constructor(level: number | undefined, isHidden: boolean) {
    this.level = level;
    this.#isHidden = isHidden;
  }

  addText(data: string): void {
    let text = data.replace(/[ \t\r\n]+/g, ' ');
    if (this.#endsWithSpace && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    this.#parts.push(text);
    this.#endsWithSpace = text.endsWith(' ');
  }

  /** Tabs, line ends, spaces and marks, as they are. */
  addExactly(text: string): void {
    this.#parts.push(text);
    this.#endsWithSpace = false;
  }

  get text(): string {
    return this.#isHidden ? '' : this.#parts.join('').trim();
  }
}
