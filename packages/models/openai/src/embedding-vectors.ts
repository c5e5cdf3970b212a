import { type Embedding, media, mediaBytes } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { fieldsOf } from './answer-reading.js';

/** One entry of `data`: its vector as numbers, or as base64 of little-endian float32, which some servers send whatever is asked for. */
export function answeredEmbedding(value: unknown, position: number): Embedding {
  const entry = fieldsOf(value, 'an embedding');
  const { embedding } = entry;
  const vector = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding);
  return { index: reportedCount(entry['index']) ?? position, vector };
}

function fromNumbers(values: unknown): Float32Array {
  if (!Array.isArray(values)) throw new TypeError('an embedding is no list');
  const vector = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    // Float32Array.from would make 0 of null, and a number of a text.
    if (typeof values[i] !== 'number') throw new TypeError('an embedding holds something that is no number');
    vector[i] = values[i];
  }
  return vector;
}

function fromBase64(base64: string): Float32Array {
  const bytes = mediaBytes(media('application/octet-stream', { type: 'base64', base64 }));
  if (bytes.length % 4 !== 0) throw new TypeError('an embedding is cut');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
