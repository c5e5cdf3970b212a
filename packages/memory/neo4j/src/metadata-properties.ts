import type { JsonValue, Metadata } from '@vernal/core';
import { readableText } from '@vernal/core/adapter';

/** What a node keeps under a name. */
export type NodeProperty = string | boolean | number | bigint | readonly (string | boolean | number | bigint)[];

/** What Neo4j refuses in names. Names stay in the database when their last node is gone, so long ones are not made. */
const NO_NAME = /^$|\0|\p{Surrogate}|.{256}/su;

/**
 * Metadata as properties of a node, for queries: texts, booleans, numbers and lists of one of these as they are, anything else as JSON text.
 * Left out are nulls, which a node cannot hold, and keys that it cannot have as names.
 */
export function metadataProperties(metadata: Metadata): Record<string, NodeProperty> {
  const properties = Object.entries(metadata)
    .filter(([key, value]) => value !== null && !NO_NAME.test(key))
    .map(([key, value]) => [key, propertyOf(value)] as const);
  return Object.fromEntries(properties);
}

function propertyOf(value: JsonValue): NodeProperty {
  if (typeof value === 'string') return readableText(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return numberOf(value);
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one === 'string')) return value.map(readableText);
    if (value.every((one) => typeof one === 'boolean')) return value;
    // Lists are of one type.
    if (value.every((one) => typeof one === 'number'))
      return value.every(Number.isSafeInteger) ? value.map(BigInt) : value;
  }
  return JSON.stringify(value);
}

/** The driver makes a float of every number, and an integer of a bigint. */
function numberOf(value: number): number | bigint {
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}
