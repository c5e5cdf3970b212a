/** UTF-16 units. Shorter pieces are put together: each that is kept costs some dozen bytes more than it holds. */
const BLOCK = 65_536;

/** Text of which the end is still to come, in little more memory than its length, however small its pieces are. */
export class PendingText {
  /** UTF-16 units. */
  length = 0;
  #blocks: string[] = [];
  #small: string[] = [];
  #smallLength = 0;

  add(piece: string): void {
    if (piece === '') return;
    this.length += piece.length;
    this.#small.push(piece);
    this.#smallLength += piece.length;
    if (this.#smallLength < BLOCK) return;
    this.#blocks.push(this.#small.join(''));
    this.#small = [];
    this.#smallLength = 0;
  }

  /** The text with its end; begins anew. */
  take(end: string): string {
    if (this.length === 0) return end;
    const text = [...this.#blocks, ...this.#small, end].join('');
    this.length = 0;
    this.#blocks = [];
    this.#small = [];
    this.#smallLength = 0;
    return text;
  }
}
