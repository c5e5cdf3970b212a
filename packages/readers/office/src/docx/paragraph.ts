import { type Block, itemText } from '../text/block.js';
import type { WordContext } from './word-context.js';
import { levelOf } from './word-styles.js';

/** A list that a paragraph leaves by itself has this number. */
const NO_LIST = '0';

/** A paragraph as it is read: properties first, then its text. */
export class WordParagraph {
  style: string | undefined;
  outline: string | undefined;
  list: string | undefined;
  listLevel: string | undefined;
  /** What stands in text boxes anchored in it. */
  readonly boxes: Block[] = [];
  readonly #parts: string[] = [];

  add(text: string): void {
    this.#parts.push(text);
  }

  get text(): string {
    const lines = this.#parts.join('').split('\n');
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
  }

  /** Counts its list on, whether or not there is text. Nothing becomes of an empty paragraph. */
  block({ styles, numbering }: WordContext, isInTable: boolean): Block | undefined {
    const style = styles.style(this.style);
    const list = this.list ?? style.list ?? NO_LIST;
    const isListed = list !== NO_LIST;
    const own = Number(this.listLevel ?? style.listLevel ?? numbering.levelOfStyle(list, this.style));
    const level = Number.isSafeInteger(own) ? Math.min(Math.max(own, 0), 8) : 0;
    const { text } = this;
    const marker = isListed && text !== '' ? numbering.next(list, level) : '';
    if (text === '') return undefined;
    const heading = this.outline === undefined ? style.headingLevel : levelOf(this.outline);
    if (heading !== undefined && heading < 10 && !isInTable) {
      const title = marker === '' || marker === '-' ? text : `${marker} ${text}`;
      return { kind: 'heading', level: heading, text: title };
    }
    if (marker !== '') return { kind: 'item', text: itemText(text, marker, level) };
    return { kind: 'paragraph', text };
  }
}
