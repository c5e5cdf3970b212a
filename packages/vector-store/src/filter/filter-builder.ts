import type { FilterComparison, FilterExpression, FilterInput, FilterNode } from './filter-expression.js';
import { filterTag } from './filter-tag.js';
import { comparedScalar, filterInvalid, filterKey, listedScalars } from './filter-value.js';

/**
 * As a tag: interpolations are values (a list becomes an IN list), never text. As an object: the builder. Both give frozen trees, turn
 * `Date` into ISO-8601 text and refuse what no filter can hold (`filter_invalid`, naming the argument).
 *
 * @example
 * ```ts
 * filter`tenant == ${tenant} AND tag IN ${['a', 'b']}`;
 * filter.and(filter.eq('tenant', tenant), filter.in('tag', ['a', 'b']));
 * ```
 * Source: Spring AI `FilterExpressionBuilder`; the tag has no counterpart there.
 */
export interface FilterBuilder {
  /** Interpolations cannot be keys or parts of a quoted text (`filter_parse`). */
  (text: TemplateStringsArray, ...values: readonly (FilterInput | readonly FilterInput[])[]): FilterExpression;
  eq(key: string, value: FilterInput): FilterExpression;
  ne(key: string, value: FilterInput): FilterExpression;
  gt(key: string, value: FilterInput): FilterExpression;
  gte(key: string, value: FilterInput): FilterExpression;
  lt(key: string, value: FilterInput): FilterExpression;
  lte(key: string, value: FilterInput): FilterExpression;
  in(key: string, values: readonly FilterInput[]): FilterExpression;
  nin(key: string, values: readonly FilterInput[]): FilterExpression;
  isNull(key: string): FilterExpression;
  isNotNull(key: string): FilterExpression;
  /** Two or more, from the left. */
  and(first: FilterNode, second: FilterNode, ...more: readonly FilterNode[]): FilterExpression;
  or(first: FilterNode, second: FilterNode, ...more: readonly FilterNode[]): FilterExpression;
  not(node: FilterNode): FilterExpression;
  group(expression: FilterExpression): { readonly group: FilterExpression };
}

function keyOf(key: string): { readonly key: string } {
  return Object.freeze({ key: filterKey(key, 'key') });
}

function compare(type: FilterComparison): (key: string, value: FilterInput) => FilterExpression {
  return (key, value) =>
    Object.freeze({
      type,
      left: keyOf(key),
      right: Object.freeze({ value: comparedScalar(type, value, 'value') }),
    });
}

function list(type: 'IN' | 'NIN'): (key: string, values: readonly FilterInput[]) => FilterExpression {
  return (key, values) =>
    Object.freeze({
      type,
      left: keyOf(key),
      right: Object.freeze({ value: Object.freeze(listedScalars(values, 'values')) }),
    });
}

function nullTest(type: 'ISNULL' | 'ISNOTNULL'): (key: string) => FilterExpression {
  return (key) => Object.freeze({ type, left: keyOf(key) });
}

function join(type: 'AND' | 'OR'): FilterBuilder['and'] {
  return (first, second, ...more) => {
    let left: FilterExpression = Object.freeze({ type, left: nodeOf(first), right: nodeOf(second) });
    for (const right of more) left = Object.freeze({ type, left, right: nodeOf(right) });
    return left;
  };
}

/** Catches a forgotten operand; the tree itself is checked where it is used. */
function nodeOf(node: FilterNode): FilterNode {
  if (typeof node === 'object' && node !== null) return node;
  return filterInvalid('operand', 'must be a filter: and() and or() need two at least, leave them out for one');
}

/** Writes filters, as a tag and as a builder: see `FilterBuilder`. */
export const filter: FilterBuilder = /* @__PURE__ */ Object.assign(
  (text: TemplateStringsArray, ...values: readonly (FilterInput | readonly FilterInput[])[]) => filterTag(text, values),
  {
    eq: compare('EQ'),
    ne: compare('NE'),
    gt: compare('GT'),
    gte: compare('GTE'),
    lt: compare('LT'),
    lte: compare('LTE'),
    in: list('IN'),
    nin: list('NIN'),
    isNull: nullTest('ISNULL'),
    isNotNull: nullTest('ISNOTNULL'),
    and: join('AND'),
    or: join('OR'),
    not: (node: FilterNode): FilterExpression => Object.freeze({ type: 'NOT', left: nodeOf(node) }),
    group: (expression: FilterExpression): { readonly group: FilterExpression } => Object.freeze({ group: expression }),
  },
);
