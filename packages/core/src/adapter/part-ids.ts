import { contentId, type MetadataInput } from '@vernal/core';

/**
 * Ids for the documents that a reader makes of one page: the same each time for the same bytes and the same `about` (the source, the
 * options), and different for each index. One hash a page, however many parts it has: the index takes the place of its last 48 bits.
 *
 * @example
 * const idOf = await partIds(bytes, { ...sourceMetadata(resource), options });
 * const first = document({ id: idOf(0), text });
 */
export async function partIds(bytes: Uint8Array, about: MetadataInput): Promise<(index: number) => string> {
  // A copy, for the platform does not take bytes of shared memory.
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes.slice()));
  const pageId = await contentId(hash.join(' '), about);
  return (index) => pageId.slice(0, -12) + index.toString(16).padStart(12, '0');
}
