import type { JsonValue, Metadata } from '@vernal/core';
import { compareTexts } from './compare-texts.js';
import type { FilterExpression, FilterScalar } from './filter-expression.js';
import { metadataReader } from './metadata-value.js';
import type { NormalFilter } from './normalize-filter.js';
import { chainOf, normalizeFilter } from './normalize-filter.js';

type Test = (metadata: Metadata) => boolean;

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function equals(key: string, expected: FilterScalar): Test {
  const read = metadataReader(key);
  return (metadata) => {
    const value = read(metadata);
    return value === expected || (Array.isArray(value) && value.includes(expected));
  };
}

function within(key: string, values: readonly FilterScalar[]): Test {
  const read = metadataReader(key);
  const members = new Set<unknown>(values);
  return (metadata) => {
    const value = read(metadata);
    return members.has(value) || (Array.isArray(value) && value.some((item) => members.has(item)));
  };
}

/** Numbers with numbers, texts with texts by code point, nothing else. */
function ordered(key: string, expected: FilterScalar, test: (order: number) => boolean): Test {
  const read = metadataReader(key);
  return (metadata) => {
    const value = read(metadata);
    if (typeof value === 'number' && typeof expected === 'number') {
      return test(value < expected ? -1 : value > expected ? 1 : 0);
    }
    if (typeof value === 'string' && typeof expected === 'string') return test(compareTexts(value, expected));
    return false;
  };
}

function not(test: Test): Test {
  return (metadata) => !test(metadata);
}

/** The first test that gives `decisive` decides. */
function chain(tests: readonly Test[], decisive: boolean): Test {
  return (metadata) => {
    for (const test of tests) if (test(metadata) === decisive) return decisive;
    return !decisive;
  };
}

function compile(filter: NormalFilter): Test {
  switch (filter.type) {
    case 'AND':
      return chain(chainOf(filter).map(compile), false);
    case 'OR':
      return chain(chainOf(filter).map(compile), true);
    case 'ISNULL':
    case 'ISNOTNULL': {
      const read = metadataReader(filter.left.key);
      const wanted = filter.type === 'ISNULL';
      return (metadata) => isMissing(read(metadata)) === wanted;
    }
    case 'IN':
      return within(filter.left.key, filter.right.value);
    case 'NIN':
      return not(within(filter.left.key, filter.right.value));
    default: {
      const { key } = filter.left;
      const { value } = filter.right;
      switch (filter.type) {
        case 'EQ':
          return equals(key, value);
        case 'NE':
          return not(equals(key, value));
        case 'GT':
          return ordered(key, value, (order) => order > 0);
        case 'GTE':
          return ordered(key, value, (order) => order >= 0);
        case 'LT':
          return ordered(key, value, (order) => order < 0);
        case 'LTE':
          return ordered(key, value, (order) => order <= 0);
      }
    }
  }
}

/** As `compileFilter`, of a tree that is normal already. */
export function compileNormalFilter(filter: NormalFilter): (metadata: Metadata) => boolean {
  return compile(filter);
}

/**
 * The reference semantics that every store follows, on the normal tree:
 *
 * - A missing key or null matches only NE, NIN and ISNULL.
 * - Numbers and texts are never turned into each other. Other types never match an ordered comparison. Texts order by code point.
 * - IN [] matches nothing, NIN [] everything.
 * - A list matches EQ and IN when one of its elements does, NE and NIN when none does, an ordered comparison never.
 * - `a.b` is the key that is literally so called, else what `a` holds under `b`.
 *
 * @throws VernalError `filter_invalid` for a tree that is none
 * Source: Spring AI `SimpleVectorStoreFilterExpressionEvaluator`; null, mixed types and double negation are defined here instead.
 */
export function evaluateFilter(expression: FilterExpression, metadata: Metadata): boolean {
  return compileFilter(expression)(metadata);
}

/** `evaluateFilter` for many documents: the tree is checked and prepared once. */
export function compileFilter(expression: FilterExpression): (metadata: Metadata) => boolean {
  return compile(normalizeFilter(expression));
}
