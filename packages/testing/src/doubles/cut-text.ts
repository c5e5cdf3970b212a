import type { ScriptAnswer } from './script-step.js';

const WORDS = /\s*\S+|\s+$/gu;

/**
 * Cuts a text as `chunks` of a step says, by default into words. The pieces together are `text`; characters are code points, so no
 * piece ends inside one. '' has no pieces.
 *
 * @example
 * cutText('To be or', undefined); // ['To', ' be', ' or']
 * cutText('To be or', [1]); // ['T', 'o be or']
 */
export function cutText(text: string, how: ScriptAnswer['chunks']): string[] {
  if (text === '') return [];
  if (how === undefined) return text.match(WORDS) ?? [text];
  const characters = Array.from(text);
  if (how === 'char') return characters;
  const pieces: string[] = [];
  let start = 0;
  for (const length of how) {
    if (start >= characters.length) break;
    if (length > 0) pieces.push(characters.slice(start, start + length).join(''));
    start += Math.max(0, length);
  }
  if (start < characters.length) pieces.push(characters.slice(start).join(''));
  return pieces;
}
