import { type ModelErrorPlace, readAnswer } from '@vernal/core/adapter';

/**
 * Each line of a body as JSON. Characters cut by the network are joined; leaving the loop closes the connection. A line that is no JSON is
 * an error of `readAnswer`; an object that breaks off at the end is dropped, for the answer it belongs to is not whole either.
 */
export async function* jsonLines(body: AsyncIterable<Uint8Array>, place: ModelErrorPlace): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  // Pieces of a line: joined once, so that a long one takes no longer by the byte than a short one.
  let pieces: string[] = [];
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf('\n');
    if (end >= 0) {
      const lines = (pieces.join('') + text.slice(0, end)).split('\n');
      pieces = [];
      // Not `yield*`, which takes twice as long.
      for (const value of parsed(lines, place)) yield value;
    }
    pieces.push(text.slice(end + 1));
  }
  const rest = pieces.join('') + decoder.decode();
  if (breaksOff(rest)) return;
  for (const value of parsed([rest], place)) yield value;
}

function* parsed(lines: readonly string[], place: ModelErrorPlace): Generator<unknown> {
  for (const line of lines) if (line.trim() !== '') yield readAnswer(place, () => JSON.parse(line));
}

function breaksOff(rest: string): boolean {
  if (!rest.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(rest);
    return false;
  } catch {
    return true;
  }
}
