import type { JsonValue, Metadata } from '@vernal/core';
import { metadataReader } from '../filter/metadata-value.js';

const FIRST_ROWS = 64;
/** From this many different values on, more than one for eight rows make a column useless. */
const MANY_VALUES = 256;

/**
 * What all rows hold under one key, as numbers of different values. A condition on the key is then tried once a value, not once a row.
 * Follows the rows of a store.
 */
export class MetadataColumn {
  readonly #read: (metadata: Metadata) => JsonValue | undefined;
  readonly #numbers = new Map<JsonValue | undefined, number>();
  /** For each value the metadata in which it was seen first. */
  readonly #examples: Metadata[] = [];
  #values = new Uint32Array(FIRST_ROWS);
  #size = 0;

  constructor(key: string) {
    this.#read = metadataReader(key);
  }

  /** There are so many values, of now or of before, that the column saves nothing: it is to be thrown away. */
  get useless(): boolean {
    return this.#examples.length > MANY_VALUES + this.#size / 8;
  }

  /** The row is the next behind the last, or holds other metadata now. */
  put(row: number, metadata: Metadata): void {
    if (row >= this.#values.length) {
      const grown = new Uint32Array(Math.ceil(this.#values.length * 1.25));
      grown.set(this.#values);
      this.#values = grown;
    }
    const value = this.#read(metadata);
    // Lists and objects are other values each: they are only equal to themselves here.
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#examples.push(metadata) - 1;
      this.#numbers.set(value, number);
    }
    this.#values[row] = number;
    this.#size = Math.max(this.#size, row + 1);
  }

  /** The row is taken out and the last one put in its place. */
  remove(row: number): void {
    this.#size--;
    this.#values[row] = this.#values[this.#size] ?? 0;
  }

  /** Leaves 1 in `marks` where the test, which looks at nothing but the key, is true; what is 0 stays 0. */
  narrow(marks: Uint8Array, test: (metadata: Metadata) => boolean): void {
    const passes = Uint8Array.from(this.#examples, (metadata) => (test(metadata) ? 1 : 0));
    const values = this.#values;
    const size = marks.length;
    for (let row = 0; row < size; row++) marks[row] = (marks[row] ?? 0) & (passes[values[row] ?? 0] ?? 0);
  }
}
