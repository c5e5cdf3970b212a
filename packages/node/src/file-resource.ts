import { open, readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ResourceOptions, WritableResource } from '@vernal/core';
import { invalidArgument, throwIfAborted } from '@vernal/core';
import { atomicWrite } from './atomic-write.js';
import { fileError } from './file-error.js';
import { mimeTypeOf } from './mime-type.js';

/** Bytes a read. */
const CHUNK_SIZE = 65_536;

/**
 * A file. `uri` is its absolute `file:` URL, `filename` its name, `mimeType` goes by its extension; the options override them. It is
 * opened at each read or write, so it need not exist yet. `write` replaces it whole or leaves it as it was: a temporary file beside it is
 * flushed to the disk and renamed. The folder has to exist.
 *
 * Source: Spring's `FileSystemResource`.
 *
 * @throws VernalError `invalid_argument` for a URL that is not `file:`. Reading and writing: `resource` with `details.reason`
 * `not_found`, `access_denied`, `is_directory`, `no_space`, `link_loop` or `failed`; `aborted` or `timeout` by the signal
 *
 * @example
 * const page = await readText(fileResource('docs/guide.md'));
 * await vectorStore.save(fileResource('store.json'));
 */
export function fileResource(path: string | URL, options: ResourceOptions = {}): WritableResource {
  const location = pathOf(path);
  const mimeType = options.mimeType ?? mimeTypeOf(location);
  return {
    uri: options.uri ?? pathToFileURL(resolve(location)).href,
    filename: options.filename ?? basename(location),
    ...(mimeType === undefined ? undefined : { mimeType }),
    async bytes(context) {
      throwIfAborted(context?.signal);
      try {
        const { buffer, byteOffset, byteLength } = await readFile(location, { signal: context?.signal });
        return new Uint8Array(buffer, byteOffset, byteLength);
      } catch (error) {
        throw fileError(location, error, context?.signal);
      }
    },
    stream: (context) => chunksOf(location, context?.signal),
    async write(content, context) {
      try {
        await atomicWrite(location, content, context?.signal);
      } catch (error) {
        throw fileError(location, error, context?.signal);
      }
    },
  };
}

async function* chunksOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  throwIfAborted(signal);
  try {
    const file = await open(path, 'r');
    try {
      for (;;) {
        throwIfAborted(signal);
        const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_SIZE), 0, CHUNK_SIZE);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(path, error, signal);
  }
}

export function pathOf(path: string | URL): string {
  if (typeof path === 'string' && path !== '') return path;
  if (path instanceof URL && path.protocol === 'file:') return fileURLToPath(path);
  throw invalidArgument(
    'path',
    'give a file path that is not empty, or a file: URL. For http: URLs there is urlResource',
  );
}
