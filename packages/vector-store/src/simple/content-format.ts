import type { Document } from '@vernal/core';
import { mediaBase64 } from '@vernal/core';
import type { VectorMetric } from '../store/vector-store-capabilities.js';

/**
 * A saved store, in this order; numbers are little-endian:
 *
 * 1. the eight characters of `MAGIC`, the version (u32), the length of the header in bytes (u32)
 * 2. the header, JSON: metric, dimensions, count, and provider and name of the embedding model, as far as they are known
 * 3. each document: its length in bytes (u32), then JSON
 * 4. each vector, in the order of the documents: float32 by float32; of unit length when the metric is cosine
 * 5. CRC-32 (u32) over everything before it
 */
export const MAGIC = 'VERNALVS';
export const FORMAT_VERSION = 1;

export interface ContentHeader {
  readonly metric: VectorMetric;
  readonly dimensions: number;
  readonly count: number;
  readonly provider?: string;
  readonly model?: string;
}

/** Without score; bytes of media as base64, so that JSON holds them. */
export function documentJson({ id, text, media, metadata, format }: Document): string {
  const plainMedia =
    media === undefined || media.source.type === 'url'
      ? media
      : { ...media, source: { type: 'base64', base64: mediaBase64(media) } };
  return JSON.stringify({ id, text, media: plainMedia, metadata, format });
}

const BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** Turns float32 bytes of this machine into little-endian and back, in place. */
export function toLittleEndian(bytes: Uint8Array): Uint8Array {
  if (!BIG_ENDIAN) return bytes;
  for (let i = 0; i < bytes.length; i += 4) bytes.subarray(i, i + 4).reverse();
  return bytes;
}
