/** A JSON text inside a larger one. */
export interface JsonElement {
  readonly text: string;
  /** Its place in the root array, from 0; undefined for the root itself. */
  readonly index: number | undefined;
}

/**
 * Takes the elements of a root array out of a stream of text, one at a time, without parsing them: only brackets and strings are looked
 * at. Any other root comes as one element. What is not JSON makes elements that do not parse.
 */
export async function* jsonElements(chunks: AsyncIterable<string>): AsyncGenerator<JsonElement> {
  const scanner = arrayScanner();
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

function arrayScanner(): ArrayScanner {
  let state: 'before' | 'array' | 'other' | 'after' = 'before';
  /** Text of the current element from earlier chunks. */
  let pending = '';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let index = 0;

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
        const text = pending + chunk.slice(start, at);
        pending = '';
        start = at + 1;
        if (code === CLOSE_ARRAY) state = 'after';
        if (code === COMMA || index > 0 || !isBlankJson(text)) yield { text, index: index++ };
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
        depth--;
      }
    }
    pending += chunk.slice(start);
  }

  function* end(): Generator<JsonElement> {
    // Behind the array there may be white space; anything else, or an array that is not closed, does not parse.
    if (state === 'array') yield { text: `[${pending}`, index };
    else if (state !== 'after') yield { text: pending, index: undefined };
    else if (!isBlankJson(pending)) yield { text: `]${pending}`, index };
  }

  return { push, end };
}

const isJsonBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

function isBlankJson(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}
