import type Papa from 'papaparse';

/** UTF-16 units of a row at most; a longer one has a quote that is never closed. */
export const LONGEST_ROW = 2_000_000;
/** Units that are read at once, and from which the delimiter is guessed. */
const PIECE = 65_536;

/**
 * The rows of comma-separated values as the text comes, by RFC 4180 and what programs make of it: any line ends, quotes in the middle of
 * a field, rows of different lengths.
 *
 * @param fault - makes the error for a row that does not end
 */
export async function* csvRows(
  pieces: AsyncIterable<string>,
  delimiter: string | undefined,
  onDelimiter: (found: string) => void,
  fault: (row: number) => Error,
): AsyncGenerator<string[]> {
  // Who reads no such values does not load it.
  const { default: papa } = await import('papaparse');
  let parser: Papa.Parser | undefined;
  let pending = '';
  let enough = PIECE;
  let count = 0;

  function guessed(head: string, isEnd: boolean): string {
    const lines = isEnd ? head : head.slice(0, head.lastIndexOf('\n') + 1);
    const delimitersToGuess = [',', '\t', ';', '|'];
    return papa.parse(lines.slice(0, PIECE), { preview: 20, skipEmptyLines: true, delimitersToGuess }).meta.delimiter;
  }

  function* rowsOf(isEnd: boolean): Generator<string[]> {
    if (parser === undefined) {
      const found = delimiter ?? guessed(pending, isEnd);
      onDelimiter(found);
      parser = new papa.Parser({ delimiter: found, newline: '\n' });
    }
    const { data, meta }: Papa.ParseResult<string[]> = parser.parse(pending, 0, !isEnd);
    pending = pending.slice(meta.cursor);
    count += data.length;
    // What is pending is looked at again only when there is twice as much of it.
    enough = pending.length * 2 + PIECE;
    yield* data;
    if (pending.length > LONGEST_ROW) throw fault(count + 1);
  }

  for await (const piece of lineFeeds(pieces)) {
    pending += piece;
    if (pending.length >= enough) yield* rowsOf(false);
  }
  if (pending !== '') yield* rowsOf(true);
}

/** Each line end as a line feed, also where it was cut. */
async function* lineFeeds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    rest = text.endsWith('\r') ? '\r' : '';
    yield (rest === '' ? text : text.slice(0, -1)).replace(/\r\n?/g, '\n');
  }
  if (rest !== '') yield '\n';
}
