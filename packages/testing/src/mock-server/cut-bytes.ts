import type { ByteSplit } from './mock-reply.js';

/** Pieces whose concatenation is `bytes`; none is empty. */
export function cutBytes(bytes: Uint8Array, split: ByteSplit | undefined): Uint8Array[] {
  if (bytes.length === 0) return [];
  if (split === undefined) return [bytes];
  const pieces: Uint8Array[] = [];
  if ('each' in split) {
    const size = Math.max(1, Math.floor(split.each));
    for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
    return pieces;
  }
  let start = 0;
  for (const end of [...split.at.toSorted((a, b) => a - b), bytes.length]) {
    const stop = Math.min(end, bytes.length);
    if (stop <= start) continue;
    pieces.push(bytes.subarray(start, stop));
    start = stop;
  }
  return pieces;
}
