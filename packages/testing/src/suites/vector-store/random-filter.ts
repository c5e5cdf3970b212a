import type { Metadata } from '@vernal/core';
import type {
  FilterComparison,
  FilterExpression,
  FilterNode,
  FilterOperator,
  FilterScalar,
} from '@vernal/vector-store';
import type { Random } from '../kernel/random.js';

const KEYS = ['s', 'n', 'b', 'list', 'mixed', 'missing', 'deep.key'] as const;
const STRINGS = ['', 'a', 'A', 'b', 'ab', '10', '9', 'é', '😀', "o'hara"] as const;
const NUMBERS = [-1.5, 0, 1, 9, 10, 1e6] as const;

function scalar(random: Random): string | number | boolean {
  const kind = random.below(5);
  if (kind < 2) return random.pick(STRINGS);
  return kind < 4 ? random.pick(NUMBERS) : random.next() < 0.5;
}

/**
 * Metadata with every kind of value. At least a third of them lack a key, at least a third hold null, and at least a third hold a value of
 * another type than the key mostly has.
 */
export function randomMetadata(random: Random): Metadata {
  const metadata: Record<string, Metadata[string]> = {};
  const odd = (): Metadata[string] => (random.next() < 0.5 ? null : scalar(random));
  if (random.next() < 0.8) metadata['s'] = random.next() < 0.3 ? odd() : random.pick(STRINGS);
  if (random.next() < 0.8) metadata['n'] = random.next() < 0.3 ? odd() : random.pick(NUMBERS);
  if (random.next() < 0.7) metadata['b'] = random.next() < 0.2 ? odd() : random.next() < 0.5;
  if (random.next() < 0.6)
    metadata['list'] =
      random.next() < 0.2
        ? odd()
        : Array.from({ length: random.below(3) }, () => (random.next() < 0.2 ? null : scalar(random)));
  if (random.next() < 0.8) metadata['mixed'] = random.next() < 0.2 ? null : scalar(random);
  if (random.next() < 0.6)
    metadata['deep'] = random.next() < 0.3 ? odd() : { key: random.next() < 0.3 ? odd() : scalar(random) };
  return metadata;
}

function leaf(random: Random, operators: readonly FilterOperator[]): FilterExpression | undefined {
  const leaves = operators.filter((type) => type !== 'AND' && type !== 'OR' && type !== 'NOT');
  const [first, ...rest] = leaves;
  if (first === undefined) return undefined;
  const type = random.pick([first, ...rest]);
  const left = { key: random.pick(KEYS) };
  if (type === 'ISNULL' || type === 'ISNOTNULL') return { type, left };
  if (type === 'IN' || type === 'NIN') {
    return { type, left, right: { value: Array.from({ length: random.below(4) }, () => scalar(random)) } };
  }
  return { type: type as FilterComparison, left, right: { value: operand(random, type) } };
}

/** An ordered comparison takes no boolean. */
function operand(random: Random, type: FilterOperator): FilterScalar {
  if (type === 'EQ' || type === 'NE') return scalar(random);
  return random.next() < 0.5 ? random.pick(STRINGS) : random.pick(NUMBERS);
}

/** A tree of the given operators and NOT, which needs no declaring, at most `depth` deep. */
export function randomFilter(
  random: Random,
  operators: readonly FilterOperator[],
  depth: number,
): FilterExpression | undefined {
  const branches = [...operators.filter((type) => type === 'AND' || type === 'OR'), 'NOT' as const];
  const [first, ...rest] = branches;
  if (depth === 0 || first === undefined || random.next() < 0.3) return leaf(random, operators);
  const node = (): FilterNode | undefined => {
    const inner = randomFilter(random, operators, depth - 1);
    return inner !== undefined && random.next() < 0.2 ? { group: inner } : inner;
  };
  const type = random.pick([first, ...rest]);
  const [left, right] = [node(), node()];
  if (left === undefined || right === undefined) return undefined;
  return type === 'NOT' ? { type, left } : { type, left, right };
}
