import type { FilterComparison, FilterExpression, FilterNode, FilterScalar } from './filter-expression.js';
import { isBareKey } from './filter-key.js';
import { printNumber, printString } from './filter-literals.js';
import { validateFilter } from './validate-filter.js';

const SYMBOLS: Readonly<Record<FilterComparison, string>> = {
  EQ: '==',
  NE: '!=',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
};
/** How tightly a node binds, from OR to what needs no parentheses ever. */
const BINDING = { OR: 1, AND: 2, NOT: 3, LEAF: 4 } as const;

function binding(node: FilterNode): number {
  if ('group' in node) return BINDING.LEAF;
  return node.type === 'OR' || node.type === 'AND' || node.type === 'NOT' ? BINDING[node.type] : BINDING.LEAF;
}

function printKey(key: string): string {
  return isBareKey(key) ? key : printString(key);
}

function printScalar(value: FilterScalar): string {
  if (typeof value === 'string') return printString(value);
  return typeof value === 'number' ? printNumber(value) : String(value);
}

/** In parentheses unless the node binds at least as tightly as its place asks for. */
function printAt(node: FilterNode, least: number): string {
  return binding(node) < least ? `(${printTree(node)})` : printTree(node);
}

/** As `printFilter`, of a tree that is known to be one. */
export function printTree(node: FilterNode): string {
  if ('group' in node) return `(${printTree(node.group)})`;
  switch (node.type) {
    case 'AND':
    case 'OR': {
      const own = BINDING[node.type];
      const rights: string[] = [];
      let first: FilterNode = node;
      while (!('group' in first) && (first.type === 'AND' || first.type === 'OR') && first.type === node.type) {
        rights.push(printAt(first.right, own + 1));
        first = first.left;
      }
      return [printAt(first, own), ...rights.reverse()].join(` ${node.type} `);
    }
    case 'NOT':
      return `NOT ${printAt(node.left, BINDING.NOT)}`;
    case 'ISNULL':
      return `${printKey(node.left.key)} IS NULL`;
    case 'ISNOTNULL':
      return `${printKey(node.left.key)} IS NOT NULL`;
    case 'IN':
    case 'NIN':
      return `${printKey(node.left.key)} ${node.type} [${node.right.value.map(printScalar).join(', ')}]`;
    default:
      return `${printKey(node.left.key)} ${SYMBOLS[node.type]} ${printScalar(node.right.value)}`;
  }
}

/**
 * Prints what `parseFilter` reads back as an equal tree. Where the tree's shape needs parentheses that it has no group for, they are
 * printed and come back as a group, which changes nothing in the meaning.
 *
 * @throws VernalError `filter_invalid` for a tree that is none
 */
export function printFilter(expression: FilterExpression): string {
  return printTree(validateFilter(expression));
}
