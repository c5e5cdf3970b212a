/** Is told of what stands in a file, in order. */
export interface RtfSink {
  open(): void;
  close(): void;
  /** `\word` or `\word5`; `\*` is a word, too. */
  word(name: string, parameter: number | undefined): void;
  /** A character in the code page that holds; `\'e9` and a plain one are the same. */
  byte(value: number): void;
}

/** Bytes between two rests. */
const STEP = 65_536;
const LONGEST_WORD = 32;

/**
 * Cuts a file into words, groups and characters; says every now and then how many bytes it went. Source: Rich Text Format 1.9.1.
 */
export function* rtfTokens(bytes: Uint8Array, sink: RtfSink): Generator<number> {
  let at = 0;
  let rested = 0;
  while (at < bytes.length) {
    if (at - rested >= STEP) {
      yield at - rested;
      rested = at;
    }
    const byte = bytes[at] ?? 0;
    at++;
    if (byte === 0x7b) sink.open();
    else if (byte === 0x7d) sink.close();
    else if (byte === 0x5c) at = control(bytes, at, sink);
    else if (byte !== 0x0d && byte !== 0x0a && byte !== 0) sink.byte(byte);
  }
}

function control(bytes: Uint8Array, start: number, sink: RtfSink): number {
  const first = bytes[start] ?? 0;
  if (!isLetter(first)) return controlSymbol(bytes, start, first, sink);
  let at = start;
  while (at < bytes.length && at - start < LONGEST_WORD && isLetter(bytes[at] ?? 0)) at++;
  const name = String.fromCharCode(...bytes.subarray(start, at));
  let parameter: number | undefined;
  const isNegative = bytes[at] === 0x2d;
  let digit = isNegative ? at + 1 : at;
  if (isDigit(bytes[digit] ?? 0)) {
    parameter = 0;
    for (; isDigit(bytes[digit] ?? 0); digit++)
      parameter = Math.min(parameter * 10 + (bytes[digit] ?? 0) - 0x30, 2 ** 31);
    if (isNegative) parameter = -parameter;
    at = digit;
  }
  if (bytes[at] === 0x20) at++;
  // Pictures may stand in a file as they are.
  if (name === 'bin') return at + Math.max(parameter ?? 0, 0);
  sink.word(name, parameter);
  return at;
}

function controlSymbol(bytes: Uint8Array, at: number, symbol: number, sink: RtfSink): number {
  switch (symbol) {
    case 0x27: {
      const value = Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16);
      if (!Number.isNaN(value)) sink.byte(value);
      return at + 3;
    }
    case 0x5c:
    case 0x7b:
    case 0x7d:
      sink.byte(symbol);
      return at + 1;
    case 0x0a:
    case 0x0d:
      sink.word('par', undefined);
      return at + 1;
    default:
      sink.word(String.fromCharCode(symbol), undefined);
      return at + 1;
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
