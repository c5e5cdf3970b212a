import { zipSync } from 'fflate';

const encoder = new TextEncoder();

/** An archive of texts or bytes, in the order of the keys. */
export function zip(entries: Readonly<Record<string, string | Uint8Array>>, level: 0 | 6 = 6): Uint8Array {
  const files = Object.entries(entries).map(([name, content]) => [
    name,
    typeof content === 'string' ? encoder.encode(content) : content,
  ]);
  return zipSync(Object.fromEntries(files), { level });
}

/** Where a signature of the zip format stands: 0x02014b50 for the list of entries. */
export function findSignature(bytes: Uint8Array, signature: number, from = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + 4 <= bytes.length; at++) if (view.getUint32(at, true) === signature) return at;
  throw new Error('the archive has no such record');
}
