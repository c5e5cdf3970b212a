/** Writes a line: text as it is, anything else as JSON. */
export function writeLine(stream: NodeJS.WritableStream, line: string | object): void {
  stream.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
}

/** Text without control characters but tab and newline: no document and no model may steer the terminal. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '');
}
