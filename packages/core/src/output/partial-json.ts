import { GrowingJson } from './growing-json.js';
import { readJson } from './json-prefix.js';
import { ValueStart } from './value-start.js';

/** Every level optional: what has arrived of `T` so far. Arrays grow; nothing ever shrinks. */
export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/**
 * What can be read from the beginning of a JSON text; undefined while there is nothing. What was read of a prefix stays when the text
 * grows: objects and lists gain members, strings gain characters, nothing else changes. So a number or a literal is held back until it is
 * certain that it has ended, a key until its value begins, and half an escape or surrogate pair until the other half is there.
 * Thoughts, an opening code fence and prose before the value are passed over, and what follows the value is ignored. Never throws;
 * where the text is no JSON, reading stops. Linear in the length of the text.
 *
 * @example
 * parsePartialJson('{"title":"Vol'); // { title: 'Vol' }
 * parsePartialJson('{"year":199'); // {}: may still become 1999
 */
export function parsePartialJson(text: string): unknown {
  const start = new ValueStart().push(text);
  return start === undefined ? undefined : readJson(start, 0, 'lenient').value;
}

/**
 * `parsePartialJson` for a text that comes in pieces: reads each piece once, so that a long answer in many chunks costs no more than its
 * length. `value` is the same object as long as nothing was added; what is whole in it is shared with later ones.
 *
 * @example
 * const reader = new PartialJsonReader();
 * reader.push('{"title":"Vol');
 * reader.push('ver"');
 * reader.value; // { title: 'Volver' }
 */
export class PartialJsonReader {
  readonly #start = new ValueStart();
  #json: GrowingJson | undefined;

  /** What can be read so far; undefined while there is nothing. Only ever grows, unless `repeatsKeys`. */
  get value(): unknown {
    return this.#json?.snapshot();
  }

  /** True once an object had one key twice: its second value takes the place of the first. */
  get repeatsKeys(): boolean {
    return this.#json?.repeatsKeys ?? false;
  }

  /** The next characters of the text. */
  push(text: string): void {
    if (this.#json !== undefined) {
      this.#json.push(text);
      return;
    }
    const start = this.#start.push(text);
    if (start === undefined) return;
    this.#json = new GrowingJson();
    this.#json.push(start);
  }
}
