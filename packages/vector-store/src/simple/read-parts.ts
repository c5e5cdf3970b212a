import type { Document } from '@vernal/core';
import type { ContentHeader } from './content-format.js';
import { DAMAGED, storeRead } from './store-read-error.js';
import { storedDocument } from './stored-document.js';

/** More than any model makes; keeps a damaged header from asking for all memory. */
const MOST_DIMENSIONS = 1 << 20;

function readJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw storeRead(`${what} is no JSON`, DAMAGED, cause);
  }
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

export function readHeader(bytes: Uint8Array): ContentHeader {
  const value = readJson(bytes, 'its header');
  const header: { readonly [K in keyof ContentHeader]?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  const { metric, dimensions, count, provider, model } = header;
  if (
    (metric !== 'cosine' && metric !== 'dot' && metric !== 'euclidean') ||
    !isCount(dimensions, MOST_DIMENSIONS) ||
    !isCount(count, 0xffffffff) ||
    (count > 0 && dimensions === 0)
  ) {
    throw storeRead('its header is damaged', DAMAGED);
  }
  return {
    metric,
    dimensions,
    count,
    ...(typeof provider === 'string' && { provider }),
    ...(typeof model === 'string' && { model }),
  };
}

/** `place` counts from 1 and is for the message. */
export function readDocument(bytes: Uint8Array, place: number): Document {
  const value = readJson(bytes, `document ${place}`);
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') {
    throw storeRead(`document ${place} is damaged`, DAMAGED);
  }
  try {
    // Checked field by field by the factory, which takes any object.
    return storedDocument(value as Document);
  } catch (cause) {
    throw storeRead(`document ${place} is damaged`, DAMAGED, cause);
  }
}
