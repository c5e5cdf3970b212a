import type { FilterComparison, FilterExpression, FilterNode } from './filter-expression.js';
import { validateFilter } from './validate-filter.js';

/** A tree without NOT and without groups: what evaluators and dialects see. */
export type NormalFilter =
  | { readonly type: 'AND' | 'OR'; readonly left: NormalFilter; readonly right: NormalFilter }
  | Exclude<FilterExpression, { readonly type: 'AND' | 'OR' } | { readonly type: 'NOT' }>;

const NEGATED: Readonly<Record<FilterComparison, FilterComparison>> = {
  EQ: 'NE',
  NE: 'EQ',
  GT: 'LTE',
  LTE: 'GT',
  GTE: 'LT',
  LT: 'GTE',
};

function normalize(top: FilterNode, negated: boolean): NormalFilter {
  let node = top;
  let not = negated;
  for (;;) {
    if ('group' in node) node = node.group;
    else if (node.type === 'NOT') {
      node = node.left;
      not = !not;
    } else break;
  }
  switch (node.type) {
    case 'AND':
    case 'OR':
      return join(node, not);
    case 'ISNULL':
    case 'ISNOTNULL':
      return not ? { type: node.type === 'ISNULL' ? 'ISNOTNULL' : 'ISNULL', left: node.left } : node;
    case 'IN':
    case 'NIN':
      return not ? { type: node.type === 'IN' ? 'NIN' : 'IN', left: node.left, right: node.right } : node;
    default: {
      const type = not ? NEGATED[node.type] : node.type;
      if (node.right.value === null) return { type: type === 'EQ' ? 'ISNULL' : 'ISNOTNULL', left: node.left };
      return type === node.type ? node : { type, left: node.left, right: node.right };
    }
  }
}

function join(top: Extract<FilterExpression, { readonly type: 'AND' | 'OR' }>, not: boolean): NormalFilter {
  const rights: FilterNode[] = [];
  let first: FilterNode = top;
  while (!('group' in first) && (first.type === 'AND' || first.type === 'OR') && first.type === top.type) {
    rights.push(first.right);
    first = first.left;
  }
  const type = (top.type === 'AND') === not ? 'OR' : 'AND';
  let left = normalize(first, not);
  for (const right of rights.reverse()) left = { type, left, right: normalize(right, not) };
  return left;
}

/**
 * Validates, pushes NOT down (De Morgan; NOT NOT a is a; NOT ISNULL is ISNOTNULL), drops groups, and turns `== null` into ISNULL and
 * `!= null` into ISNOTNULL. This is the tree on which a filter's meaning is defined: `NOT (year > 2020)` is `year <= 2020`, which a
 * document without a year does not match either.
 *
 * @throws VernalError `filter_invalid` naming the path
 */
export function normalizeFilter(expression: FilterExpression): NormalFilter {
  return normalize(validateFilter(expression), false);
}

/** The operands of a chain of one operator, from the left; anything else is its own only operand. */
export function chainOf(filter: NormalFilter): readonly NormalFilter[] {
  if (filter.type !== 'AND' && filter.type !== 'OR') return [filter];
  const operands: NormalFilter[] = [];
  let first: NormalFilter = filter;
  while (first.type === filter.type && (first.type === 'AND' || first.type === 'OR')) {
    operands.push(first.right);
    first = first.left;
  }
  operands.push(first);
  return operands.reverse();
}
