import type { FilterComparison, FilterExpression, FilterNode, FilterScalar } from '@vernal/vector-store';
import fc from 'fast-check';

/** Keys that have broken printers and dialects, beside ordinary ones. */
export const keys: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'a.b', 'a.b.c', 'tag') },
  fc.constantFrom('in', 'NOT', 'null', 'L', 'größe', '名前', 'in.x', 'x-y', '', ' ', '.', 'a..b', '1a', 'constructor'),
  fc.constantFrom('__proto__', "it's", 'say "hi"', 'back\\slash', 'new\nline', '\u0000', '\ud800', '😀', '\u{100000}'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
);
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'true', '1', "x' OR '1'='1", '") or true or ("', 'evil\\', '\\" OR 1=1 /*', '*', '%'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
export const scalars: fc.Arbitrary<FilterScalar> = fc.oneof(numbers, texts, fc.boolean());

const ordered = fc.constantFrom<FilterComparison>('GT', 'GTE', 'LT', 'LTE');
const leaves: fc.Arbitrary<FilterExpression> = fc.oneof(
  fc.record({
    type: fc.constantFrom<FilterComparison>('EQ', 'NE'),
    left: fc.record({ key: keys }),
    right: fc.record({ value: fc.oneof(scalars, fc.constant(null)) }),
  }),
  fc.record({
    type: ordered,
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

/** Well-formed trees with every operator, groups where they may stand, hostile keys and values. */
export const filters: fc.Arbitrary<FilterExpression> = fc.letrec<{ tree: FilterExpression; node: FilterNode }>(
  (tie) => ({
    node: fc.oneof(
      { weight: 4, arbitrary: tie('tree') },
      { weight: 1, arbitrary: tie('tree').map((group): FilterNode => ({ group })) },
    ),
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      { weight: 3, arbitrary: leaves },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constantFrom('AND' as const, 'OR' as const),
          left: tie('node'),
          right: tie('node'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('NOT' as const), left: tie('node') }) },
    ),
  }),
).tree;
