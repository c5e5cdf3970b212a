import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { listFiles } from '@vernal/node';
import { usageError } from '../usage-error.js';

/** What the readers of this command know, by file name ending. */
export const readableExtensions: readonly string[] = ['.md', '.markdown', '.html', '.htm', '.txt', '.json', '.jsonl'];

export interface DocumentFile {
  readonly path: string;
  /** How answers name it: relative to the working folder where it lies in it, with '/' between folders. */
  readonly source: string;
}

/** Every readable file behind the paths, each once, in the order given and sorted within a folder. None at all is a usage error. */
export async function documentFiles(
  paths: readonly string[],
  cwd: string,
  signal?: AbortSignal,
): Promise<DocumentFile[]> {
  const found = new Map<string, DocumentFile>();
  for (const given of paths) {
    const path = resolve(cwd, given);
    const info = await stat(path).catch(() => undefined);
    if (info === undefined) throw usageError(`No document found: there is nothing at ${given}; check the path`, 'docs');
    const files = info.isDirectory() ? await listFiles([path], { extensions: readableExtensions, signal }) : [path];
    if (files.length === 0) {
      throw usageError(
        `No document found: ${given} holds no file that ends in ${readableExtensions.join(', ')}`,
        'docs',
      );
    }
    for (const file of files) if (!found.has(file)) found.set(file, { path: file, source: sourceName(file, cwd) });
  }
  return [...found.values()];
}

function sourceName(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return (near.startsWith('..') || isAbsolute(near) ? path : near).split(sep).join('/');
}
