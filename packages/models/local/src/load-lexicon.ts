import { readFile } from 'node:fs/promises';
import { VernalError } from '@vernal/core';
import { type Lexicon, lexicon } from './words/lexicon.js';
import { parseWordTable } from './words/word-table.js';

// This file stays directly in src/: the address must hold from dist/index.js too.
const TABLE = new URL('../data/words-en.bin', import.meta.url);

let loading: Promise<Lexicon> | undefined;

/**
 * The word table of this package, read once and shared by every model of the process: it never changes.
 *
 * @throws `resource` when the file is missing or damaged; the next call tries again.
 */
export function loadLexicon(): Promise<Lexicon> {
  loading ??= read().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function read(): Promise<Lexicon> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(TABLE);
  } catch (cause) {
    throw unusable('could not be read', cause);
  }
  const table = parseWordTable(bytes);
  if (table === undefined) throw unusable('is damaged');
  return lexicon(table);
}

function unusable(what: string, cause?: unknown): VernalError {
  return new VernalError(
    `The word table of @vernal/model-local ${what}. Install the package again; a bundler must keep its data folder beside dist.`,
    { code: 'resource', subject: 'words-en.bin', cause },
  );
}
