import { throwIfAborted } from '@vernal/core';
import type { ContentHeader } from './content-format.js';
import { documentJson, FORMAT_VERSION, MAGIC, toLittleEndian } from './content-format.js';
import { Crc32 } from './crc32.js';
import type { ContentSnapshot } from './store-content.js';

const CHUNK_BYTES = 1 << 18;

function u32(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value, true);
  return new Uint8Array(view.buffer);
}

function* pieces(snapshot: ContentSnapshot, header: ContentHeader): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const head = encoder.encode(JSON.stringify(header));
  yield encoder.encode(MAGIC);
  yield u32(FORMAT_VERSION, head.length);
  yield head;
  for (const document of snapshot.documents) {
    const json = encoder.encode(documentJson(document));
    yield u32(json.length);
    yield json;
  }
  for (let row = 0; row < header.count; row++) {
    const floats = snapshot.rows?.row(row) ?? new Float32Array(0);
    // A copy: the store may move its rows while the bytes wait to be written.
    yield toLittleEndian(new Uint8Array(floats.slice().buffer));
  }
}

/** Pieces gathered into chunks worth writing, each counted into the checksum. */
export async function* writeContent(
  snapshot: ContentSnapshot,
  about: Pick<ContentHeader, 'metric' | 'provider' | 'model'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const count = snapshot.documents.length;
  const header: ContentHeader = {
    metric: about.metric,
    dimensions: count === 0 ? 0 : (snapshot.rows?.dimensions ?? 0),
    count,
    ...(about.provider === undefined ? undefined : { provider: about.provider }),
    ...(about.model === undefined ? undefined : { model: about.model }),
  };
  const crc = new Crc32();
  let chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  for (const piece of pieces(snapshot, header)) {
    let rest = piece;
    while (rest.length > 0) {
      const part = rest.subarray(0, CHUNK_BYTES - filled);
      chunk.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled < CHUNK_BYTES) continue;
      throwIfAborted(signal);
      crc.update(chunk);
      yield chunk;
      // Not used again: the resource may still hold the one it was given.
      chunk = new Uint8Array(CHUNK_BYTES);
      filled = 0;
    }
  }
  const last = chunk.subarray(0, filled);
  crc.update(last);
  if (last.length > 0) yield last;
  yield u32(crc.value);
}
