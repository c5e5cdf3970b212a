import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfAborted } from '@vernal/core';
import { fileError } from './file-error.js';
import { pathOf } from './file-resource.js';

/** Left out: every file. */
export interface ListFilesOptions {
  /** Extensions of the files of interest, with or without the dot, in any case: `['md', '.html']`. Default all files. */
  readonly extensions?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The files at and below the paths, in the order of the paths, each folder sorted by name. Files that are named are listed whatever
 * their extension; of folders, `node_modules` and what begins with a dot is left out. Links are followed; a file or folder that is
 * reached twice is listed once, so links in a circle end.
 *
 * @throws VernalError `resource` for a path that does not exist or may not be read, `aborted` or `timeout` by the signal
 *
 * @example
 * for await (const path of listFiles('docs', { extensions: ['md'] })) await index(fileResource(path));
 */
export async function* listFiles(
  paths: string | URL | readonly (string | URL)[],
  options: ListFilesOptions = {},
): AsyncGenerator<string> {
  const endings = options.extensions?.map((extension) => `.${extension.replace(/^\./, '').toLowerCase()}`);
  const walk: Walk = {
    isWanted: (path) => endings === undefined || endings.some((ending) => path.toLowerCase().endsWith(ending)),
    seen: new Set(),
    signal: options.signal,
  };
  for (const given of typeof paths === 'string' || paths instanceof URL ? [paths] : paths) {
    const path = pathOf(given);
    const found = await identify(path, walk.signal);
    if (found === undefined)
      throw fileError(path, Object.assign(new Error('Nothing there'), { code: 'ENOENT' }), undefined);
    if (found.isFolder) yield* filesOf(path, found, walk);
    else if (isNew(found, walk)) yield path;
  }
}

interface Walk {
  readonly isWanted: (path: string) => boolean;
  /** Real paths of what was listed. */
  readonly seen: Set<string>;
  readonly signal: AbortSignal | undefined;
}

interface Found {
  readonly realPath: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

async function* filesOf(folder: string, { realPath }: Found, walk: Walk): AsyncGenerator<string> {
  if (walk.seen.has(realPath)) return;
  walk.seen.add(realPath);
  const names = await readdir(folder).catch((error: unknown) => {
    throw fileError(folder, error, walk.signal);
  });
  for (const name of names.sort()) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = join(folder, name);
    // A link that leads nowhere, or a file that went away meanwhile, is no part of the folder.
    const found = await identify(path, walk.signal);
    if (found?.isFolder) yield* filesOf(path, found, walk);
    else if (found?.isFile && walk.isWanted(path) && isNew(found, walk)) yield path;
  }
}

function isNew({ realPath }: Found, { seen }: Walk): boolean {
  if (seen.has(realPath)) return false;
  seen.add(realPath);
  return true;
}

async function identify(path: string, signal: AbortSignal | undefined): Promise<Found | undefined> {
  throwIfAborted(signal);
  try {
    const realPath = await realpath(path);
    const found = await stat(realPath);
    return { realPath, isFolder: found.isDirectory(), isFile: found.isFile() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP'))
      return undefined;
    throw fileError(path, error, signal);
  }
}
