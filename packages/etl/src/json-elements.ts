import { PendingText } from './pending-text.js';

/** A JSON text inside a larger one. */
export interface JsonElement {
  readonly text: string;
  /** Its place in the root array, from 0; undefined for the root itself. */
  readonly index: number | undefined;
}

/** How long an element may be, in UTF-16 units, and the error for one that is longer. */
export interface ElementLimit {
  readonly most: number;
  /** `index` is undefined for the root itself. */
  fault(index: number | undefined): Error;
}

/**
 * Takes the elements of a root array out of a stream of text, one at a time, without parsing them: only brackets and strings are looked
 * at. Any other root comes as one element. What is not JSON makes elements that do not parse.
 */
export async function* jsonElements(chunks: AsyncIterable<string>, limit: ElementLimit): AsyncGenerator<JsonElement> {
  const scanner = arrayScanner(limit);
  for await (const chunk of chunks) yield* scanner.push(chunk);
  yield* scanner.end();
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

interface ArrayScanner {
  push(chunk: string): Generator<JsonElement>;
  end(): Generator<JsonElement>;
}

function arrayScanner(limit: ElementLimit): ArrayScanner {
  let state: 'before' | 'array' | 'other' | 'after' = 'before';
  /** Text of the current element from earlier chunks. */
  const pending = new PendingText();
  let depth = 0;
  let inString = false;
  let escaped = false;
  let index = 0;

  const check = (length: number): void => {
    if (length > limit.most) throw limit.fault(state === 'other' ? undefined : index);
  };

  function* push(chunk: string): Generator<JsonElement> {
    let at = 0;
    if (state === 'before') {
      while (at < chunk.length && isJsonBlank(chunk.charCodeAt(at))) at++;
      if (at === chunk.length) return;
      state = chunk.charCodeAt(at) === OPEN_ARRAY ? 'array' : 'other';
      if (state === 'array') at++;
    }
    let start = at;
    for (; state === 'array' && at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) {
        inString = true;
      } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        depth++;
      } else if (depth === 0 && (code === COMMA || code === CLOSE_ARRAY)) {
        check(pending.length + at - start);
        const text = pending.take(chunk.slice(start, at));
        start = at + 1;
        if (code === CLOSE_ARRAY) state = 'after';
        if (code === COMMA || index > 0 || !isBlankJson(text)) yield { text, index: index++ };
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
        depth--;
      }
    }
    const rest = chunk.slice(start);
    if (state === 'after' && pending.length === 0 && isBlankJson(rest)) return;
    check(pending.length + rest.length);
    pending.add(rest);
  }

  function* end(): Generator<JsonElement> {
    const rest = pending.take('');
    // Behind the array there may be white space; anything else, or an array that is not closed, does not parse.
    if (state === 'array') yield { text: `[${rest}`, index };
    else if (state !== 'after') yield { text: rest, index: undefined };
    else if (!isBlankJson(rest)) yield { text: `]${rest}`, index };
  }

  return { push, end };
}

const isJsonBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

function isBlankJson(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}
