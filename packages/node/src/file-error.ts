import { abortError, VernalError } from '@vernal/core';

const REASONS: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  ENOENT: ['not_found', 'does not exist. Check the path and the folder it is relative to'],
  ENOTDIR: ['not_found', 'does not exist: a part of its path is a file'],
  EACCES: ['access_denied', 'may not be opened. Check the permissions of the file and its folder'],
  EPERM: ['access_denied', 'may not be opened. Check the permissions of the file and its folder'],
  EROFS: ['access_denied', 'is on a file system that is read-only'],
  EISDIR: ['is_directory', 'is a folder. Name a file in it'],
  ENOSPC: ['no_space', 'cannot be written: there is no space left on the device'],
  ELOOP: ['link_loop', 'is a symbolic link that leads to itself'],
};

/** The error of the file system as ours: `details.reason` says which. Errors that are ours already pass. */
export function fileError(path: string, cause: unknown, signal: AbortSignal | undefined): unknown {
  if (VernalError.is(cause)) return cause;
  if (signal?.aborted) return abortError(signal);
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  // What documents on their way into a file threw is not an error of the file.
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return cause;
  const [reason, message] = REASONS[code] ?? ['failed', `failed with ${code}`];
  return new VernalError(`${path} ${message}`, { code: 'resource', subject: path, details: { reason }, cause });
}
