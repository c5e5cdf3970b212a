import type { Reading } from '../reading/reading.js';
import { type Block, lengthOf, rowText } from './block.js';

/** Puts blocks together: an empty line between them, none between the lines of a list or a table; notes at the end. */
export class BlockText {
  readonly #reading: Reading;
  #parts: string[] = [];
  #notes: string[] = [];
  #last: Block['kind'] | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  add(block: Block): void {
    // Before it is put together: a long text may stand in each of a thousand cells.
    this.#reading.countText(block.kind === 'row' ? lengthOf(block.cells) : block.text.length);
    const text = block.kind === 'row' ? rowText(block.cells) : block.text.trimEnd();
    if (text.trim() === '') {
      if (block.kind === 'row' && block.isFirst) this.#last = undefined;
      return;
    }
    if (block.kind === 'note') {
      this.#notes.push(text);
      return;
    }
    const isNextLine =
      block.kind === this.#last && (block.kind === 'item' || block.kind === 'row') && block.isFirst !== true;
    if (this.#parts.length > 0) this.#parts.push(isNextLine ? '\n' : '\n\n');
    this.#parts.push(block.kind === 'item' ? text : text.trim());
    this.#last = block.kind;
  }

  /** What was put together; begins anew. */
  take(): string {
    const text = this.#parts.join('');
    const notes = this.#notes.join('\n');
    this.#parts = [];
    this.#notes = [];
    this.#last = undefined;
    return [text, notes].filter((one) => one !== '').join('\n\n');
  }
}
