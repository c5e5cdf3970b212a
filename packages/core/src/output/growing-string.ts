import { ESCAPES } from './json-string.js';

const SPECIAL = /["\\]/g;

/** A JSON string that comes in pieces, behind its opening quote. Raw control characters are forgiven. */
export class GrowingString {
  /** What is certain of it: half an escape is held back. */
  text = '';
  state: 'open' | 'whole' | 'broken' = 'open';
  /** From the backslash on, while it may go on. */
  #escape = '';

  /** Reads on, up to the end of the string or of the piece; gives the place behind what was read. */
  read(piece: string, from: number): number {
    let at = from;
    while (at < piece.length && this.state === 'open')
      at = this.#escape === '' ? this.#plain(piece, at) : this.#escaped(piece, at);
    return at;
  }

  #plain(piece: string, from: number): number {
    SPECIAL.lastIndex = from;
    const at = SPECIAL.exec(piece)?.index ?? piece.length;
    this.text += piece.slice(from, at);
    if (at === piece.length) return at;
    if (piece[at] === '"') this.state = 'whole';
    else this.#escape = '\\';
    return at + 1;
  }

  #escaped(piece: string, at: number): number {
    this.#escape += piece.charAt(at);
    const letter = this.#escape.charAt(1);
    const simple = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (simple !== undefined) this.#resolve(simple);
    else if (!/^\\u[0-9a-fA-F]{0,4}$/.test(this.#escape)) this.state = 'broken';
    else if (this.#escape.length === 6) this.#resolve(String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)));
    return at + 1;
  }

  #resolve(character: string): void {
    this.text += character;
    this.#escape = '';
  }
}
