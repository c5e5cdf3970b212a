import { setOwn } from '../json/own-property.js';
import { type JsonMode, readString, type Scalar } from './json-string.js';

/** What could be read of a JSON text, and how far. */
export interface JsonPrefix {
  /** Undefined while nothing is certain. */
  readonly value: unknown;
  /** `whole`: one value was read. `cut`: the text ended inside it. `broken`: at `end` stands something that cannot be there. */
  readonly state: 'whole' | 'cut' | 'broken';
  /** Just behind what was read. */
  readonly end: number;
}

type Container = { readonly list: unknown[] } | { readonly object: Record<string, unknown>; key: string };

const WHITE = /[ \t\r\n]*/y;
const NUMBER_RUN = /[-+.0-9eE]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
const UNKNOWN = Symbol();

/**
 * Reads one JSON value from `start`, as much of it as is there, in one pass and without recursion. Whatever is read stays true when
 * the text goes on: a number, a literal, half an escape or half a surrogate pair at the end is held back.
 * 'lenient' forgives a trailing comma and raw control characters in strings; 'strict' is JSON as `JSON.parse` reads it.
 */
export function readJson(text: string, start: number, mode: JsonMode): JsonPrefix {
  const open: Container[] = [];
  let root: unknown;
  let at = start;

  function put(value: unknown): void {
    const top = open.at(-1);
    if (top === undefined) root = value;
    else if ('list' in top) top.list.push(value);
    else setOwn(top.object, top.key, value);
  }

  for (;;) {
    at = skipJsonWhite(text, at);
    const char = text[at];
    if (char === '{' || char === '[') {
      const container: Container = char === '{' ? { object: {}, key: '' } : { list: [] };
      put('list' in container ? container.list : container.object);
      open.push(container);
      at++;
    } else {
      const scalar = readScalar(text, at, mode);
      if (scalar.value !== UNKNOWN) put(scalar.value);
      at = scalar.end;
      if (scalar.state !== 'whole') return { value: root, state: scalar.state, end: at };
    }
    const next = untilNextValue(text, at, mode, open, char === '{' || char === '[');
    if (next.state !== 'value') return { value: root, state: next.state, end: next.at };
    at = next.at;
  }
}

interface Step {
  readonly state: 'value' | 'whole' | 'cut' | 'broken';
  readonly at: number;
}

/** Over commas, keys, colons and closing brackets, to where the next value begins. */
function untilNextValue(text: string, from: number, mode: JsonMode, open: Container[], justOpened: boolean): Step {
  let at = from;
  let isFirst = justOpened;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    at = skipJsonWhite(text, at);
    const closer = 'list' in top ? ']' : '}';
    if (text[at] === closer) {
      open.pop();
      isFirst = false;
      at++;
      continue;
    }
    if (at >= text.length) return { state: 'cut', at };
    if (!isFirst) {
      if (text[at] !== ',') return { state: 'broken', at };
      at = skipJsonWhite(text, at + 1);
      if (mode === 'lenient' && text[at] === closer) continue;
    }
    if ('list' in top) return { state: at >= text.length ? 'cut' : 'value', at };
    return readKey(text, at, mode, top);
  }
  return { state: 'whole', at };
}

function readKey(text: string, from: number, mode: JsonMode, object: { key: string }): Step {
  if (from >= text.length) return { state: 'cut', at: from };
  if (text[from] !== '"') return { state: 'broken', at: from };
  const key = readString(text, from, mode);
  if (key.state !== 'whole') return { state: key.state, at: key.end };
  const colon = skipJsonWhite(text, key.end);
  if (colon >= text.length) return { state: 'cut', at: colon };
  if (text[colon] !== ':') return { state: 'broken', at: colon };
  object.key = String(key.value);
  return { state: 'value', at: colon + 1 };
}

function readScalar(text: string, at: number, mode: JsonMode): Scalar {
  const char = text[at];
  if (char === undefined) return { value: UNKNOWN, state: 'cut', end: at };
  if (char === '"') return readString(text, at, mode);
  NUMBER_RUN.lastIndex = at;
  const run = /[-0-9]/.test(char) ? NUMBER_RUN.exec(text)?.[0] : undefined;
  if (run !== undefined) {
    const end = at + run.length;
    if (end >= text.length) return { value: UNKNOWN, state: 'cut', end };
    if (NUMBER.test(run)) return { value: Number(run), state: 'whole', end };
    return { value: UNKNOWN, state: 'broken', end: at };
  }
  for (const [word, value] of LITERALS) {
    if (text.startsWith(word, at)) return { value, state: 'whole', end: at + word.length };
    if (word.startsWith(text.slice(at, at + word.length))) return { value: UNKNOWN, state: 'cut', end: text.length };
  }
  return { value: UNKNOWN, state: 'broken', end: at };
}

function skipJsonWhite(text: string, at: number): number {
  WHITE.lastIndex = at;
  WHITE.test(text);
  return WHITE.lastIndex;
}
