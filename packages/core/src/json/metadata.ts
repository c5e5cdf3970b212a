import { invalidArgument } from '../errors/invalid-argument.js';
import { jsonFromInput } from './json-from-input.js';
import { isRecord } from './json-record.js';
import type { JsonInputObject, JsonValue } from './json-value.js';

/** Metadata of messages and documents: always JSON, so it survives every codec and every database. */
export type Metadata = { readonly [key: string]: JsonValue };

/** What factories take for metadata: `Date` becomes ISO-8601 UTC text, undefined members are dropped. */
export type MetadataInput = JsonInputObject;

/** Shared by everything that has none. */
export const NO_METADATA: Metadata = Object.freeze({});

/** Throws `invalid_argument` that names the path of what is not JSON. */
export function metadataFromInput(input: MetadataInput | undefined, path = 'metadata'): Metadata {
  if (input === undefined || input === NO_METADATA) return NO_METADATA;
  const metadata = jsonFromInput(input, path);
  if (!isRecord(metadata)) throw invalidArgument(path, 'must be an object');
  return metadata;
}
