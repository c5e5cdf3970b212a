import { readJson } from './json-prefix.js';

/** Where a text that is not JSON goes wrong. The parser's own message quotes the text, which may be a prompt's. */
export function jsonFault(text: string): string {
  if (text.trim() === '') return 'it is empty';
  const { state, end } = readJson(text, 0, 'strict');
  if (state === 'cut') return 'it ends too early';
  const before = text.slice(0, end);
  const line = before.split('\n').length;
  return `unexpected character at line ${line}, column ${end - before.lastIndexOf('\n')}`;
}
