import type { JsonValue, Metadata } from '@vernal/core';
import type { FilterComparison, FilterExpression, FilterNode, FilterScalar } from '@vernal/vector-store';
import fc from 'fast-check';

/** Few keys and few values, so that filters and documents meet. */
const KEYS = ['a', 'b', 'a.b', 'b.a', 'a.b.c', 'größe', '名前', '', '.', 'a.', 'constructor', '__proto__'] as const;
const TEXTS = ['', '1', '10', '9', 'a', 'A', 'aa', 'b', 'é', 'e\u0301', '\uff21', '😀', 'true', 'null'] as const;
const NUMBERS = [0, 1, 1.5, 9, 10, -1, 1e300, -1e300, 1.7e308, -1.7e308, 2 ** 53 - 1, 5e-324] as const;

const keys = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b', 'a.b') }, fc.constantFrom(...KEYS));
const texts = fc.constantFrom(...TEXTS);
const numbers = fc.constantFrom(...NUMBERS);
const scalars: fc.Arbitrary<string | number | boolean> = fc.oneof(texts, numbers, fc.boolean());

const leaves: fc.Arbitrary<FilterExpression> = fc.oneof(
  fc.record({
    type: fc.constantFrom<FilterComparison>('EQ', 'NE'),
    left: fc.record({ key: keys }),
    right: fc.record({ value: fc.oneof<fc.Arbitrary<FilterScalar>[]>(scalars, scalars, fc.constant(null)) }),
  }),
  fc.record({
    type: fc.constantFrom<FilterComparison>('GT', 'GTE', 'LT', 'LTE'),
    left: fc.record({ key: keys }),
    right: fc.record({ value: fc.oneof(numbers, texts) }),
  }),
  fc.record({
    type: fc.constantFrom('IN' as const, 'NIN' as const),
    left: fc.record({ key: keys }),
    right: fc.record({ value: fc.array(scalars, { maxLength: 3 }) }),
  }),
  fc.record({ type: fc.constantFrom('ISNULL' as const, 'ISNOTNULL' as const), left: fc.record({ key: keys }) }),
);

/** Trees of every operator; NOT in most of those that are more than one test. */
export const sampleFilters: fc.Arbitrary<FilterExpression> = fc.letrec<{ tree: FilterExpression; node: FilterNode }>(
  (tie) => ({
    node: fc.oneof(
      { weight: 5, arbitrary: tie('tree') },
      { weight: 1, arbitrary: tie('tree').map((group): FilterNode => ({ group })) },
    ),
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 2, arbitrary: leaves },
      {
        weight: 3,
        arbitrary: fc.record({
          type: fc.constantFrom('AND' as const, 'OR' as const),
          left: tie('node'),
          right: tie('node'),
        }),
      },
      { weight: 3, arbitrary: fc.record({ type: fc.constant('NOT' as const), left: tie('node') }) },
    ),
  }),
).tree;

const flat: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: scalars },
  fc.constant(null),
  fc.array(fc.oneof(scalars, fc.constant(null), fc.array(texts, { maxLength: 2 })), { maxLength: 3 }),
);
const nested: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: flat },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'b.c', '', '__proto__'),
      fc.oneof(flat, fc.record({ c: flat })),
      { maxKeys: 3 },
    ),
  },
);

/** Metadata with values of every kind; keys are often missing, and values are often of another type than a filter asks for. */
export const sampleMetadata: fc.Arbitrary<Metadata> = fc.dictionary(keys, nested, { maxKeys: 4 });

/** Does the tree hold an operator? */
export function holdsOperator(node: FilterNode, type: FilterExpression['type']): boolean {
  if ('group' in node) return holdsOperator(node.group, type);
  if (node.type === type) return true;
  if (node.type === 'NOT') return holdsOperator(node.left, type);
  return (node.type === 'AND' || node.type === 'OR') && [node.left, node.right].some((one) => holdsOperator(one, type));
}
