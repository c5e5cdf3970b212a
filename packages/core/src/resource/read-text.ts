import type { CallContext } from '../context/call-context.js';
import { decodeText, type TextOptions } from './decode-text.js';
import { PieceDecoder } from './piece-decoder.js';
import type { Resource } from './resource.js';
import { requireBytes, resourcePieces } from './resource-pieces.js';

/** How bytes become text, and what ends the reading. */
export interface ReadTextOptions extends TextOptions, CallContext {}

/**
 * The whole text of a resource, decoded as `decodeText` does.
 *
 * @throws VernalError what the resource throws, and what `decodeText` throws; `resource` with `details.reason` 'not_bytes' for a resource
 * that gives no bytes
 *
 * @example
 * const template = await readText(fileResource('prompts/system.txt'), { signal });
 */
export async function readText(resource: Resource, options?: ReadTextOptions): Promise<string> {
  const bytes: unknown = await resource.bytes(options);
  requireBytes(bytes, resource);
  return decodeText(bytes, { ...options, source: resource }).text;
}

/**
 * The same as it comes, piece by piece, where the resource streams; characters that were cut are joined, and no piece is empty. Leaving the
 * loop closes the resource.
 *
 * @throws VernalError as `readText`, at the piece that is wrong
 */
export async function* streamText(resource: Resource, options?: ReadTextOptions): AsyncGenerator<string> {
  const decoder = new PieceDecoder({ ...options, source: resource });
  for await (const bytes of resourcePieces(resource, options)) {
    const text = decoder.push(bytes);
    if (text !== '') yield text;
  }
  const { text } = decoder.end();
  if (text !== '') yield text;
}
