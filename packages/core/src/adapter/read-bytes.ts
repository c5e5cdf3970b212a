import { type CallContext, joinBytes, type Resource, resourceName, resourcePieces, VernalError } from '@vernal/core';

/** Bytes. Pieces are put together as they come: one that is kept costs more than it holds, and may be a view of far more. */
const BLOCK = 65_536;

/**
 * For readers: the whole file, by its stream where it has one, as long as it is within `limits.maxFileBytes` of the reader. A larger one
 * is left, and its stream closed, with the piece that shows it. A single piece is given back itself, not copied.
 *
 * @param maxFileBytes - Infinity for no limit
 * @throws VernalError `resource` with `details.reason` 'too_large' (and `limit`, `most`) or 'not_bytes'; `aborted` or `timeout` by the
 * signal; what the resource throws
 * @example
 * const bytes = await readBytes(resource, this.#limits.maxFileBytes, options);
 */
export async function readBytes(resource: Resource, maxFileBytes: number, context?: CallContext): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let filled = 0;
  let length = 0;
  for await (const piece of resourcePieces(resource, context)) {
    length += piece.length;
    if (length > maxFileBytes) throw tooLarge(resource, maxFileBytes);
    if (blocks.length === 0) {
      blocks.push(piece);
      filled = BLOCK;
      continue;
    }
    for (let at = 0; at < piece.length; ) {
      if (filled === BLOCK) {
        blocks.push(new Uint8Array(BLOCK));
        filled = 0;
      }
      const part = piece.subarray(at, at + BLOCK - filled);
      blocks.at(-1)?.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  const last = blocks.pop();
  if (last === undefined) return new Uint8Array(0);
  return blocks.length === 0 ? last : joinBytes([...blocks, last.subarray(0, filled)]);
}

function tooLarge(resource: Resource, most: number): VernalError {
  const name = resourceName(resource);
  return new VernalError(
    `${name} is too many bytes long, ${most} is the most; raise limits.maxFileBytes if you trust it`,
    { code: 'resource', subject: name, details: { reason: 'too_large', limit: 'maxFileBytes', most } },
  );
}
