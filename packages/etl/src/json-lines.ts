export interface JsonLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** Lines that are not blank. A line ends at LF or CRLF only: U+2028 may stand in a JSON string. */
export async function* jsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonLine> {
  let number = 0;
  /** The beginning of the current line, from earlier chunks. */
  let pending: string[] = [];
  const finish = (rest: string): JsonLine => {
    const text = pending.length === 0 ? rest : pending.join('') + rest;
    pending = [];
    return { text, number: ++number };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const line = finish(chunk.slice(start, end));
      start = end + 1;
      if (!isBlank(line.text)) yield line;
    }
    if (start < chunk.length) pending.push(chunk.slice(start));
  }
  const last = finish('');
  if (!isBlank(last.text)) yield last;
}

const isBlank = (text: string): boolean => /^[ \t\r]*$/.test(text);
