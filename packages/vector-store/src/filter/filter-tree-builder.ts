import type { ParserRuleContext, Token } from 'antlr4ng';
import type { FilterComparison, FilterExpression, FilterNode, FilterScalar } from './filter-expression.js';
import { readNumber, readString } from './filter-literals.js';
import { FilterParseError } from './filter-parse-error.js';
import { placeholderIndex } from './filter-placeholder.js';
import type { FilterToken } from './filter-token.js';
import { isOrdered } from './filter-value.js';
import type {
  ExpressionContext,
  LegacyExpressionContext,
  ListContext,
  NegationContext,
  PredicateContext,
  ValueContext,
} from './generated/FilterParser.js';
import { FilterParser } from './generated/FilterParser.js';

const COMPARISONS: ReadonlyMap<number, FilterComparison> = new Map([
  [FilterParser.EQ, 'EQ'],
  [FilterParser.NE, 'NE'],
  [FilterParser.GT, 'GT'],
  [FilterParser.GTE, 'GTE'],
  [FilterParser.LT, 'LT'],
  [FilterParser.LTE, 'LTE'],
]);

/** The values of a tagged template, in order. */
export type FilterPlaceholders = readonly (FilterScalar | readonly FilterScalar[])[];

/** What the grammar finds: the usual precedence, or the legacy one. */
export type FilterContent = ExpressionContext | LegacyExpressionContext;

/** The grammar has run without error, so every part that a rule names is there. */
function present<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw new TypeError('A rule of the filter grammar lacks a part');
  return part;
}

/** Every token comes from the scanner. */
function firstToken(context: ParserRuleContext): FilterToken {
  return present(context.start) as FilterToken;
}

function keyOf(token: FilterToken): { readonly key: string } {
  return Object.freeze({ key: token.type === FilterParser.STRING ? readString(token.text, token) : token.text });
}

/** `a AND b AND c …` is a tree as deep as it is long, made in a loop and never by recursion. */
function joined<T>(type: 'AND' | 'OR', operands: readonly T[], read: (operand: T) => FilterNode): FilterNode {
  let left = read(present(operands[0]));
  for (let i = 1; i < operands.length; i++) {
    left = Object.freeze({ type, left, right: read(present(operands[i])) });
  }
  return left;
}

/**
 * What the parser found, as a filter tree. Reads the labels of the grammar, so that no parse tree has to be kept. Trees and their parts are
 * frozen, because parsed filters are shared.
 */
export class FilterTreeBuilder {
  readonly #placeholders: FilterPlaceholders;

  constructor(placeholders: FilterPlaceholders) {
    this.#placeholders = placeholders;
  }

  /** Parentheses around the whole say nothing and are dropped. */
  build(content: FilterContent): FilterExpression {
    const node = '_operands' in content ? this.#expression(content) : this.#legacy(content);
    return 'group' in node ? node.group : node;
  }

  #expression({ _operands: alternatives }: ExpressionContext): FilterNode {
    return joined('OR', alternatives, ({ _operands: operands }) =>
      joined('AND', operands, (operand) => this.#negation(operand)),
    );
  }

  #negation({ _leaf: leaf, _content: content, _operand: operand }: NegationContext): FilterNode {
    if (leaf !== undefined) return this.#predicate(leaf);
    if (content !== undefined) return Object.freeze({ group: this.build(content) });
    return Object.freeze({ type: 'NOT' as const, left: this.#negation(present(operand)) });
  }

  /** Left recursive in the grammar: its left side is as deep as the text is long, so a loop goes down to the first operand. */
  #legacy(context: LegacyExpressionContext): FilterNode {
    const joins: LegacyExpressionContext[] = [];
    let first = context;
    while (first._left !== undefined) {
      joins.push(first);
      first = first._left;
    }
    let left = this.#legacyOperand(first);
    for (const { _operator: operator, _right: right } of joins.reverse()) {
      const type = operator?.type === FilterParser.AND ? ('AND' as const) : ('OR' as const);
      left = Object.freeze({ type, left, right: this.#legacy(present(right)) });
    }
    return left;
  }

  #legacyOperand({ _leaf: leaf, _content: content, _operand: operand }: LegacyExpressionContext): FilterNode {
    if (leaf !== undefined) return this.#predicate(leaf);
    if (content !== undefined) return Object.freeze({ group: this.build(content) });
    return Object.freeze({ type: 'NOT' as const, left: this.#legacy(present(operand)) });
  }

  #predicate(context: PredicateContext): FilterExpression {
    const { _operator: operator, _members: members, _negated: negated } = context;
    const left = keyOf(present(context._left) as FilterToken);
    if (operator) return this.#comparison(left, operator, present(context._right));
    if (members === undefined) return Object.freeze({ type: negated ? 'ISNOTNULL' : 'ISNULL', left });
    const right = Object.freeze({ value: Object.freeze(this.#list(members)) });
    return Object.freeze({ type: negated ? 'NIN' : 'IN', left, right });
  }

  #comparison(left: { readonly key: string }, operator: Token, context: ValueContext): FilterExpression {
    const type = present(COMPARISONS.get(operator.type));
    const value = this.#value(context);
    if (isOrdered(type) && (value === null || typeof value === 'boolean')) {
      throw new FilterParseError(
        `${operator.text} needs a number or a text on its right: null and booleans have no order, compare with == or !=`,
        firstToken(context).place,
      );
    }
    return Object.freeze({ type, left, right: Object.freeze({ value }) });
  }

  #list(context: ListContext): FilterScalar[] {
    const start = firstToken(context);
    if (start.type === FilterParser.PLACEHOLDER) {
      const value = this.#placeholders[placeholderIndex(start.text)];
      if (Array.isArray(value)) return value.map((item) => this.#listed(item, start));
      throw new FilterParseError('IN needs a list here: hand in an array, or put the values in [ ]', start.place);
    }
    return context._items.map((item) => this.#listed(this.#value(item), firstToken(item)));
  }

  #listed(value: FilterScalar, token: FilterToken): FilterScalar {
    if (value !== null) return value;
    throw new FilterParseError('null cannot stand in a list: add OR key IS NULL', token.place);
  }

  #value(context: ValueContext): FilterScalar {
    const start = firstToken(context);
    switch (start.type) {
      case FilterParser.PLACEHOLDER: {
        const value = this.#placeholders[placeholderIndex(start.text)] ?? null;
        if (typeof value !== 'object' || value === null) return value;
        throw new FilterParseError('A list stands where one value is compared: write IN', start.place);
      }
      case FilterParser.STRING:
        return readString(start.text, start);
      case FilterParser.TRUE:
        return true;
      case FilterParser.FALSE:
        return false;
      case FilterParser.NULL:
        return null;
      default:
        return readNumber(present(context._digits?.text), start.type === FilterParser.MINUS, start);
    }
  }
}
