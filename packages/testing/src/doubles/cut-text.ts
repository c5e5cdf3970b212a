import type { ScriptAnswer } from './script-step.js';

const WORDS = /\s*\S+|\s+$/gu;

/** Pieces whose concatenation is `text`; characters are code points, so no piece ends inside one. '' has none. */
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
