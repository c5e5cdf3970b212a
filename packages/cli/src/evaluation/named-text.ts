import { resolve } from 'node:path';
import { decodeText, VernalError } from '@vernal/core';
import { fileResource } from '@vernal/node';
import { fileFault } from '../documents/file-fault.js';
import { usageError } from '../usage-error.js';

/** The text of a file; faults call it by the name that the user gave it. */
export async function namedText(path: string, cwd: string, signal: AbortSignal): Promise<string> {
  try {
    return decodeText(await fileResource(resolve(cwd, path)).bytes({ signal })).text;
  } catch (error) {
    signal.throwIfAborted();
    const reason = VernalError.is(error) ? error.details['reason'] : undefined;
    if (reason === 'not_found') throw usageError(`There is no file ${path}: check the path`, 'path');
    if (reason === 'is_directory') throw usageError(`${path} is a folder: name a file`, 'path');
    if (reason === 'binary' || reason === 'undecodable') {
      throw usageError(`${path} is no text in UTF-8: convert it, or name another file`, 'path');
    }
    throw fileFault(path, error);
  }
}

/** Undefined for what is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
