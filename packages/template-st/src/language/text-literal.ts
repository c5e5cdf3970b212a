import type { Scanner } from './scanner.js';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** `"…"`, after the first quotation mark. A backslash makes `\n`, `\r` and `\t`, else what follows it stands for itself. */
export function readTextLiteral(scanner: Scanner): string {
  const opened = scanner.at - 1;
  let text = '';
  while (!scanner.take('"')) {
    text += scanner.take('\\') ? escaped(scanner) : one(scanner);
    if (scanner.atEnd) scanner.fail('the text in quotation marks does not end', opened);
  }
  return text;
}

function escaped(scanner: Scanner): string {
  const character = one(scanner);
  return ESCAPES.get(character) ?? character;
}

function one(scanner: Scanner): string {
  const character = scanner.text.charAt(scanner.at);
  scanner.at += 1;
  return character;
}
