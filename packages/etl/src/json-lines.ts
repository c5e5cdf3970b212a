import { PendingText } from './pending-text.js';

export interface JsonLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** How long a line may be, in UTF-16 units, and the error for one that is longer. */
export interface LineLimit {
  readonly most: number;
  fault(line: number): Error;
}

/** Lines that are not blank. A line ends at LF or CRLF only: U+2028 may stand in a JSON string. */
export async function* jsonLines(chunks: AsyncIterable<string>, limit: LineLimit): AsyncGenerator<JsonLine> {
  let number = 0;
  /** The beginning of the current line, from earlier chunks. */
  const pending = new PendingText();
  const check = (more: number): void => {
    if (pending.length + more > limit.most) throw limit.fault(number + 1);
  };
  const finish = (rest: string): JsonLine => {
    check(rest.length);
    return { text: pending.take(rest), number: ++number };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const line = finish(chunk.slice(start, end));
      start = end + 1;
      if (!isBlank(line.text)) yield line;
    }
    if (start === chunk.length) continue;
    check(chunk.length - start);
    pending.add(chunk.slice(start));
  }
  const last = finish('');
  if (!isBlank(last.text)) yield last;
}

const isBlank = (text: string): boolean => /^[ \t\r]*$/.test(text);
