import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { VernalError } from '@vernal/core';
import { listFiles } from '@vernal/node';
import { usageError } from '../usage-error.js';
import { officeExtensions } from './any-file.js';
import { fileFault } from './file-fault.js';

/** What is read of a folder, by file name ending. A file that is named itself is read whatever its ending. */
export const readableExtensions: readonly string[] = [
  ...['.md', '.markdown', '.html', '.htm', '.txt', '.json', '.jsonl'],
  ...officeExtensions,
];
/** Such files are held in memory as a whole; JSON Lines are not. */
const LARGEST_FILE = 256 * 1024 * 1024;

export interface DocumentFile {
  readonly path: string;
  /** How answers name it: relative to the folder of `sourcesFrom` where it lies below it, with '/' between folders. */
  readonly source: string;
  /** By its own path on the command line, and not found in a folder. */
  readonly isNamed: boolean;
}

export interface DocumentFilesOptions {
  readonly cwd: string;
  /** Default `cwd`. */
  readonly sourcesFrom?: string | undefined;
  /** A file that is no document though it lies among them: the store itself. */
  readonly except?: string | undefined;
  readonly signal: AbortSignal;
}

/** Every readable file behind the paths, each once, in the order given and sorted within a folder. A path without any is a usage error. */
export async function documentFiles(
  paths: readonly string[],
  { cwd, sourcesFrom = cwd, except, signal }: DocumentFilesOptions,
): Promise<DocumentFile[]> {
  const files = new Map<string, DocumentFile>();
  const exception = except === undefined ? undefined : await realpath(except).catch(() => except);
  for (const given of paths) {
    if (given.trim() === '') throw usageError('A path is empty: name a file or a folder', 'docs');
    let found = 0;
    for await (const path of filesBehind(given, cwd, signal)) {
      const identity = await realpath(path);
      if (identity === exception) continue;
      found += 1;
      const isNamed = path === resolve(cwd, given);
      const before = files.get(identity);
      if (before !== undefined) files.set(identity, { ...before, isNamed: before.isNamed || isNamed });
      else files.set(identity, await checked({ path, source: sourceName(path, sourcesFrom), isNamed }));
    }
    if (found === 0) {
      throw usageError(
        `No document found: ${given} holds no file that ends in ${readableExtensions.join(', ')}; check the path, or name a file`,
        'docs',
      );
    }
  }
  return [...files.values()];
}

async function* filesBehind(given: string, cwd: string, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* listFiles(resolve(cwd, given), { extensions: readableExtensions, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (VernalError.is(error) && error.details['reason'] === 'not_found') {
      throw usageError(`No document found: there is nothing at ${given}; check the path`, 'docs');
    }
    throw fileFault(given, error);
  }
}

async function checked(file: DocumentFile): Promise<DocumentFile> {
  const { size } = await stat(file.path);
  if (size <= LARGEST_FILE || file.path.toLowerCase().endsWith('.jsonl')) return file;
  throw usageError(`${file.source} is larger than ${LARGEST_FILE / 1024 / 1024} MB: split it, or leave it out`, 'docs');
}

function sourceName(path: string, folder: string): string {
  const near = relative(folder, path);
  const isOutside = near === '..' || near.startsWith(`..${sep}`) || isAbsolute(near);
  return (isOutside ? path : near).split(sep).join('/');
}
