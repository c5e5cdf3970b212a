import type { CallContext, Resource } from '@vernal/core';
import { resourcePieces, throwIfAborted } from '@vernal/core';

const BLOCK = 1024 * 1024;
const HASH = 32;

/**
 * A hash of the bytes, from a megabyte of memory: each block is hashed together with the hash of those before it, for Web Crypto has no
 * hash that takes pieces. So it is SHA-256 of nothing else, and the same on every machine.
 */
export async function resourceVersion(resource: Resource, context?: CallContext): Promise<string> {
  const block = new Uint8Array(HASH + BLOCK);
  let filled = HASH;
  const hashBlock = async (): Promise<void> => {
    throwIfAborted(context?.signal);
    const digest = await globalThis.crypto.subtle.digest('SHA-256', block.slice(0, filled));
    block.set(new Uint8Array(digest));
    filled = HASH;
  };
  for await (const piece of resourcePieces(resource, context)) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + block.length - filled);
      block.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled === block.length) await hashBlock();
    }
  }
  await hashBlock();
  return Array.from(block.subarray(0, HASH), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
