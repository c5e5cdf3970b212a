import { setOwn } from '../json/own-property.js';
import { GrowingString } from './growing-string.js';
import { withoutHalfPair } from './json-string.js';

type Container =
  | { readonly list: unknown[]; readonly object?: undefined }
  | { readonly object: Record<string, unknown>; readonly list?: undefined; key: string };

/** What may come next. `over`: the value is whole. `broken`: something stands where it cannot, so that nothing more is read. */
type Expected = 'value' | 'value or ]' | 'key or }' | 'colon' | 'comma' | 'over' | 'broken';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * `readJson` in its lenient mode for a text that comes in pieces: each character is looked at once. Snapshots are plain data that later
 * pieces do not change; what is whole in them is shared with the ones that follow.
 */
export class GrowingJson {
  readonly #open: Container[] = [];
  #expected: Expected = 'value';
  #root: unknown;
  #string: GrowingString | undefined;
  /** A number or a word whose end has not come. */
  #token = '';
  #changed = false;
  #snapshot: unknown;
  #repeatsKeys = false;

  /** True once an object had the same key twice: its value may change then, not only grow. */
  get repeatsKeys(): boolean {
    return this.#repeatsKeys;
  }

  push(text: string): void {
    let at = 0;
    while (at < text.length && this.#expected !== 'over' && this.#expected !== 'broken') {
      if (this.#string !== undefined) at = this.#readString(this.#string, text, at);
      else if (this.#token !== '') at = this.#readToken(text, at);
      else at = this.#readMark(text, at);
    }
    if (this.#string !== undefined && this.#isValueString()) this.#put(withoutHalfPair(this.#string.text), true);
  }

  /** The same object as long as nothing was added. */
  snapshot(): unknown {
    if (this.#changed) {
      this.#changed = false;
      this.#snapshot = this.#copy();
    }
    return this.#snapshot;
  }

  #readString(string: GrowingString, text: string, from: number): number {
    const at = string.read(text, from);
    if (string.state === 'open') return at;
    this.#string = undefined;
    if (this.#isValueString()) {
      this.#put(string.state === 'whole' ? string.text : withoutHalfPair(string.text), true);
      if (string.state === 'whole') this.#valueEnded();
    } else if (string.state === 'whole') {
      this.#keyEnded(string.text);
    }
    if (string.state === 'broken') this.#expected = 'broken';
    return at;
  }

  #isValueString(): boolean {
    return this.#expected === 'value' || this.#expected === 'value or ]';
  }

  #keyEnded(key: string): void {
    const top = this.#open.at(-1);
    if (top?.object === undefined) return;
    if (Object.hasOwn(top.object, key)) this.#repeatsKeys = true;
    top.key = key;
    this.#expected = 'colon';
  }

  #readToken(text: string, from: number): number {
    const isNumber = /[-0-9]/.test(this.#token.charAt(0));
    let at = from;
    if (!isNumber) {
      this.#token += text[at++];
      this.#endWord();
      return at;
    }
    while (at < text.length && /[-+.0-9eE]/.test(text.charAt(at))) this.#token += text[at++];
    if (at < text.length) {
      if (NUMBER.test(this.#token)) this.#scalar(Number(this.#token));
      else this.#expected = 'broken';
    }
    return at;
  }

  #endWord(): void {
    const value = WORDS.get(this.#token);
    if (value !== undefined) this.#scalar(value);
    else if (![...WORDS.keys()].some((word) => word.startsWith(this.#token))) this.#expected = 'broken';
  }

  #scalar(value: unknown): void {
    this.#token = '';
    this.#put(value, false);
    this.#valueEnded();
  }

  /** White space, a bracket, a comma, a colon, or the first character of anything else. */
  #readMark(text: string, at: number): number {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t' || char === '\r' || char === '\n') return at + 1;
    const top = this.#open.at(-1);
    const isClosed = top !== undefined && char === (top.object === undefined ? ']' : '}') && this.#mayClose();
    if (isClosed) {
      this.#open.pop();
      this.#valueEnded();
    } else if (this.#isValueString()) {
      this.#beginValue(char);
    } else if (char === '"' && this.#expected === 'key or }') {
      this.#string = new GrowingString();
    } else if (char === ':' && this.#expected === 'colon') {
      this.#expected = 'value';
    } else if (char === ',' && this.#expected === 'comma') {
      // A bracket may close behind a comma: that much is forgiven.
      this.#expected = top?.object === undefined ? 'value or ]' : 'key or }';
    } else {
      this.#expected = 'broken';
    }
    return at + 1;
  }

  #mayClose(): boolean {
    return this.#expected === 'comma' || this.#expected === 'value or ]' || this.#expected === 'key or }';
  }

  #beginValue(char: string): void {
    if (char === '{' || char === '[') {
      const container: Container = char === '{' ? { object: {}, key: '' } : { list: [] };
      this.#put(container.object ?? container.list, false);
      this.#open.push(container);
      this.#expected = char === '{' ? 'key or }' : 'value or ]';
    } else if (char === '"') {
      this.#string = new GrowingString();
      this.#put('', false);
    } else if (/[-0-9tfn]/.test(char)) {
      this.#token = char;
    } else {
      this.#expected = 'broken';
    }
  }

  #valueEnded(): void {
    this.#expected = this.#open.length === 0 ? 'over' : 'comma';
  }

  /** `grown`: in place of what was put there when it began. */
  #put(value: unknown, grown: boolean): void {
    const top = this.#open.at(-1);
    if (grown && value === this.#last(top)) return;
    this.#changed = true;
    if (top === undefined) this.#root = value;
    else if (top.object !== undefined) setOwn(top.object, top.key, value);
    else if (grown) top.list[top.list.length - 1] = value;
    else top.list.push(value);
  }

  #last(top: Container | undefined): unknown {
    if (top === undefined) return this.#root;
    return top.object === undefined ? top.list.at(-1) : Reflect.get(top.object, top.key);
  }

  /** Only what is still open is copied. */
  #copy(): unknown {
    let inner: { readonly value: unknown } | undefined;
    for (const container of this.#open.toReversed()) {
      const { list, object } = container;
      const copy = list === undefined ? { ...object } : list.slice();
      if (inner !== undefined) {
        if (Array.isArray(copy)) copy[copy.length - 1] = inner.value;
        else setOwn(copy, object === undefined ? '' : container.key, inner.value);
      }
      inner = { value: copy };
    }
    return inner === undefined ? this.#root : inner.value;
  }
}
