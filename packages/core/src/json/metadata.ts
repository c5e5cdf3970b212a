import type { JsonInputObject, JsonValue } from './json-value.js';

/** Metadata of messages and documents: always JSON, so it survives every codec and every database. */
export type Metadata = { readonly [key: string]: JsonValue };

export type MetadataInput = JsonInputObject;
