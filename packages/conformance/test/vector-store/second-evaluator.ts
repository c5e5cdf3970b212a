import type { JsonValue, Metadata } from '@vernal/core';
import type { FilterComparison, FilterNode, FilterScalar } from '@vernal/vector-store';

/** What became of a filter, and what becomes of NOT of it: rules 20 and 21 make the two independent of one another. */
interface Verdict {
  readonly holds: boolean;
  readonly opposite: boolean;
}

type Held =
  | { readonly kind: 'missing' }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'object' };

/**
 * Filters by docs/filter-language.md alone, from the leaves up, without the package's own evaluation. Numbers in the comments are those of the
 * page's rules.
 */
export function secondEvaluator(node: FilterNode, metadata: Metadata): boolean {
  return verdict(node, metadata).holds;
}

function verdict(node: FilterNode, metadata: Metadata): Verdict {
  if ('group' in node) return verdict(node.group, metadata);
  switch (node.type) {
    case 'NOT': {
      const { holds, opposite } = verdict(node.left, metadata);
      return { holds: opposite, opposite: holds };
    }
    // 19, and De Morgan of 20
    case 'AND': {
      const [a, b] = [verdict(node.left, metadata), verdict(node.right, metadata)];
      return { holds: a.holds && b.holds, opposite: a.opposite || b.opposite };
    }
    case 'OR': {
      const [a, b] = [verdict(node.left, metadata), verdict(node.right, metadata)];
      return { holds: a.holds || b.holds, opposite: a.opposite && b.opposite };
    }
    case 'ISNULL':
      return exact(held(metadata, node.left.key).kind === 'missing');
    case 'ISNOTNULL':
      return exact(held(metadata, node.left.key).kind !== 'missing');
    // 12 and 13
    case 'IN':
    case 'NIN': {
      const found = held(metadata, node.left.key);
      const any = node.right.value.some((value) => equal(found, value));
      return exact(node.type === 'IN' ? any : !any);
    }
    case 'EQ':
      return exact(equal(held(metadata, node.left.key), node.right.value));
    case 'NE':
      return exact(!equal(held(metadata, node.left.key), node.right.value));
    default:
      return ordered(node.type, held(metadata, node.left.key), node.right.value);
  }
}

/** 8, 13: NOT of it is its opposite. */
function exact(holds: boolean): Verdict {
  return { holds, opposite: !holds };
}

/** 6, 7, 15, 18. */
function equal(found: Held, value: FilterScalar): boolean {
  if (value === null) return found.kind === 'missing';
  if (found.kind === 'scalar') return sameScalar(found.value, value);
  return found.kind === 'list' && found.items.some((item) => sameScalar(item, value));
}

/** `JSON.stringify` writes the type into the text: 1 and '1' differ, 1 and 1.0 do not. */
function sameScalar(found: JsonValue, value: string | number | boolean): boolean {
  if (found === null || typeof found === 'object') return false;
  return JSON.stringify(found) === JSON.stringify(value);
}

/** 9, 10, 17, 21: what cannot be ordered is in neither half. */
function ordered(type: Exclude<FilterComparison, 'EQ' | 'NE'>, found: Held, value: FilterScalar): Verdict {
  const sign = found.kind === 'scalar' ? signOf(found.value, value) : undefined;
  if (sign === undefined) return { holds: false, opposite: false };
  const within = { GT: [1], GTE: [0, 1], LT: [-1], LTE: [-1, 0] }[type];
  return exact(within.includes(sign));
}

function signOf(found: string | number | boolean, value: FilterScalar): number | undefined {
  if (typeof found === 'number' && typeof value === 'number') return sign(found - value, found, value);
  if (typeof found !== 'string' || typeof value !== 'string') return undefined;
  const [one, two] = [Array.from(found), Array.from(value)];
  for (let i = 0; ; i++) {
    if (i === one.length || i === two.length) return Math.sign(one.length - two.length);
    const difference = (one[i]?.codePointAt(0) ?? 0) - (two[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
}

/** A difference of large numbers overflows; of the two that do, one is positive. */
function sign(difference: number, found: number, value: number): number {
  if (Number.isFinite(difference)) return difference === 0 ? 0 : Math.sign(difference);
  return found > value ? 1 : -1;
}

/** 1 to 5. */
function held(metadata: Metadata, key: string): Held {
  const whole = properties(metadata).get(key);
  if (whole !== undefined || properties(metadata).has(key)) return kindOf(whole);
  const [first, ...rest] = key.split('.');
  return rest.length === 0 ? { kind: 'missing' } : along(metadata, [first ?? '', ...rest]);
}

function along(value: JsonValue | undefined, [name, ...rest]: readonly string[]): Held {
  if (name === undefined) return kindOf(value);
  if (kindOf(value).kind !== 'object') return { kind: 'missing' };
  return along(properties(value as Metadata).get(name), rest);
}

function kindOf(value: JsonValue | undefined): Held {
  if (value === undefined || value === null) return { kind: 'missing' };
  if (Array.isArray(value)) return { kind: 'list', items: value };
  return typeof value === 'object' ? { kind: 'object' } : { kind: 'scalar', value: value as string | number | boolean };
}

function properties(holder: Metadata): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries(holder));
}
