import type { Readable } from 'node:stream';

/** Characters of a line of standard error; what is longer is cut. */
export const MAX_STDERR_LINE = 65_536;

/**
 * Hands a stream on line by line. A line without an end is not kept in memory, and what the listener throws is told to `failed`: thrown out
 * of the event of a stream it would end the application.
 */
export function tellLines(
  stream: Readable,
  listener: (line: string) => unknown,
  failed: (error: unknown) => void,
): void {
  let line = '';
  const tell = (): void => {
    const told = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    // A listener may be asynchronous, whatever its type says.
    void (async () => listener(told))().catch(failed);
  };
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    let from = 0;
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
      line = extended(line, chunk, from, at);
      from = at + 1;
      tell();
    }
    line = extended(line, chunk, from, chunk.length);
  });
  stream.on('end', () => {
    if (line !== '') tell();
  });
}

function extended(line: string, chunk: string, from: number, to: number): string {
  return line + chunk.slice(from, Math.min(to, from + MAX_STDERR_LINE - line.length));
}
