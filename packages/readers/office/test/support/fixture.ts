import { readFileSync } from 'node:fs';
import { bytesResource, type Resource } from '@vernal/core';

/** A file of `fixtures`, whose README says where each is from. */
export function fixture(name: string): Resource {
  return bytesResource(fixtureBytes(name), { filename: name });
}

export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)));
}
