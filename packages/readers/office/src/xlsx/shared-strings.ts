import type { Reading } from '../reading/reading.js';
import type { XmlHandler } from '../xml/xml-items.js';

/** Strings of a workbook at most; each takes memory, even an empty one. */
const MOST_STRINGS = 10_000_000;

/** The texts that cells refer to by number. Guides to the pronunciation are not part of them. */
export class SharedStrings implements XmlHandler {
  readonly texts: string[] = [];
  readonly #reading: Reading;
  readonly #part: string;
  #parts: string[] = [];
  #isText = false;
  #phonetic = 0;

  constructor(reading: Reading, part: string) {
    this.#reading = reading;
    this.#part = part;
  }

  open(name: string): void {
    if (name === 'rPh') this.#phonetic++;
    else if (name === 't') this.#isText = this.#phonetic === 0;
  }

  text(data: string): void {
    if (this.#isText) this.#parts.push(data);
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic--;
    else if (name === 't') this.#isText = false;
    else if (name === 'si') {
      if (this.texts.length >= MOST_STRINGS) {
        const fault = `has more than ${MOST_STRINGS} strings`;
        throw this.#reading.fault('too_large', fault, { part: this.#part, most: MOST_STRINGS });
      }
      this.texts.push(this.#parts.length === 1 ? (this.#parts[0] ?? '') : this.#parts.join(''));
      this.#parts = [];
    }
  }
}
