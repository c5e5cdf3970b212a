import type { MetadataInput } from '@vernal/core';
import { wellFormed } from '../text/well-formed.js';

/** UTF-16 units of a property; it is repeated in each document. */
const LONGEST = 2_000;

/** What a file says about itself, without what is blank. */
export function fileProperties(properties: Readonly<Record<string, string | undefined>>): MetadataInput {
  const filled: Record<string, string> = {};
  for (const [key, value] of Object.entries(properties)) {
    const text = wellFormed((value ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST));
    if (text !== '') filled[key] = text;
  }
  return filled;
}
