import { randomUUID } from 'node:crypto';
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { throwIfAborted } from '@vernal/core';

/**
 * Writes a temporary file beside the target, flushes it to the disk and renames it over the target, which keeps its mode. Until the
 * rename the target is untouched; after an error the temporary file is gone. A link stays a link: what it leads to is replaced.
 */
export async function atomicWrite(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  throwIfAborted(signal);
  const target = await realpath(path).catch(() => path);
  const present = await stat(target).catch(() => undefined);
  if (present?.isDirectory()) throw Object.assign(new Error('The target is a folder'), { code: 'EISDIR' });
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  const file = await open(temporary, 'wx');
  try {
    try {
      if (present !== undefined) await file.chmod(present.mode & 0o7777);
      if (content instanceof Uint8Array) await writeAll(file, content);
      else {
        for await (const chunk of content) {
          throwIfAborted(signal);
          await writeAll(file, chunk);
        }
      }
      await file.sync();
    } finally {
      await file.close();
    }
    throwIfAborted(signal);
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(target));
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}

/** Makes the rename outlive a power cut, where the platform can flush folders. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
