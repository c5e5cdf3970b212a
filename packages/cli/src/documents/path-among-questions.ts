import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageError } from '../usage-error.js';
import { readableExtensions } from './document-files.js';

/** A path that was meant for --docs is no question: the answer to one would hide the slip. */
export async function refusePaths(words: readonly string[], cwd: string): Promise<void> {
  for (const word of words) {
    if (word.trim() === '') continue;
    const info = await stat(resolve(cwd, word)).catch(() => undefined);
    const quotes = startsAsPath(word) ? '' : ', or put the whole question in quotes';
    if (info !== undefined) {
      const kind = info.isDirectory() ? 'folder' : 'file';
      throw usageError(`${word} is a ${kind}, not a question: write --docs ${word}${quotes}`, 'docs');
    }
    if (looksLikePath(word)) throw usageError(`There is nothing at ${word}: check the path${quotes}`, 'docs');
  }
}

function looksLikePath(word: string): boolean {
  if (/\s/.test(word)) return false;
  const name = word.toLowerCase();
  return startsAsPath(word) || readableExtensions.some((extension) => name.endsWith(extension));
}

function startsAsPath(word: string): boolean {
  return /^(?:\.{0,2}\/|~)/.test(word);
}
