import type { JsonInput } from './json-value.js';

/** Object keys in code-point order at every depth, no white space: the input of content hashes and cache keys. */
export declare function canonicalJson(value: JsonInput): string;
