import type { ParserRuleContext, Token } from 'antlr4ng';
import type { FilterComparison, FilterExpression, FilterNode, FilterScalar } from './filter-expression.js';
import { readNumber, readString } from './filter-literals.js';
import { FilterParseError } from './filter-parse-error.js';
import { placeholderIndex } from './filter-placeholder.js';
import { placeOf } from './filter-tokens.js';
import { isOrdered } from './filter-value.js';
import type {
  ComparisonContext,
  KeyContext,
  ListContext,
  MembershipContext,
  NullTestContext,
  ValueContext,
} from './generated/FilterParser.js';
import { AndContext, FilterParser, LegacyAndContext, LegacyOrContext, OrContext } from './generated/FilterParser.js';
import { FilterVisitor } from './generated/FilterVisitor.js';

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

/** The grammar has run without error, so every part that a rule names is there. */
function present<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw new TypeError('The parse tree of a filter is incomplete');
  return part;
}

function firstToken(context: ParserRuleContext): Token {
  return present(context.start);
}

interface JoinContext extends ParserRuleContext {
  readonly _left?: ParserRuleContext;
  readonly _right?: ParserRuleContext;
}

/** Parse tree to filter tree. Trees and their parts are frozen, because parsed filters are shared. */
export class FilterTreeBuilder extends FilterVisitor<FilterNode> {
  readonly #placeholders: FilterPlaceholders;

  constructor(placeholders: FilterPlaceholders) {
    super();
    this.#placeholders = placeholders;
  }

  /** Parentheses around the whole say nothing and are dropped. */
  build(context: ParserRuleContext): FilterExpression {
    const node = this.#node(context);
    return 'group' in node ? node.group : node;
  }

  override visitAnd = (context: AndContext): FilterNode => this.#join('AND', context, AndContext);
  override visitOr = (context: OrContext): FilterNode => this.#join('OR', context, OrContext);
  override visitLegacyAnd = (context: LegacyAndContext): FilterNode => this.#join('AND', context, LegacyAndContext);
  override visitLegacyOr = (context: LegacyOrContext): FilterNode => this.#join('OR', context, LegacyOrContext);

  override visitNot = (context: { readonly _operand?: ParserRuleContext }): FilterNode =>
    Object.freeze({ type: 'NOT' as const, left: this.#node(present(context._operand)) });
  override visitLegacyNot = (context: { readonly _operand?: ParserRuleContext }): FilterNode => this.visitNot(context);

  override visitGroup = (context: { readonly _content?: ParserRuleContext }): FilterNode =>
    Object.freeze({ group: this.build(present(context._content)) });
  override visitLegacyGroup = (context: { readonly _content?: ParserRuleContext }): FilterNode =>
    this.visitGroup(context);

  override visitComparison = (context: ComparisonContext): FilterNode => {
    const operator = present(context._operator);
    const type = present(COMPARISONS.get(operator.type));
    const value = this.#value(context.value());
    if (isOrdered(type) && (value === null || typeof value === 'boolean')) {
      throw new FilterParseError(
        `${operator.text} needs a number or a text on its right: null and booleans have no order, compare with == or !=`,
        placeOf(firstToken(context.value())),
      );
    }
    return Object.freeze({ type, left: this.#key(context.key()), right: Object.freeze({ value }) });
  };

  override visitMembership = (context: MembershipContext): FilterNode =>
    Object.freeze({
      type: context.NIN() !== null || context.NOT() !== null ? ('NIN' as const) : ('IN' as const),
      left: this.#key(context.key()),
      right: Object.freeze({ value: Object.freeze(this.#list(context.list())) }),
    });

  override visitNullTest = (context: NullTestContext): FilterNode =>
    Object.freeze({
      type: context.NOT() === null ? ('ISNULL' as const) : ('ISNOTNULL' as const),
      left: this.#key(context.key()),
    });

  #node(context: ParserRuleContext): FilterNode {
    return present(this.visit(context));
  }

  /** `a AND b AND c …` is a tree as deep as it is long: its spine is walked in a loop, never by recursion. */
  #join<C extends JoinContext>(type: 'AND' | 'OR', context: C, kind: new (...args: never[]) => C): FilterNode {
    const rights: ParserRuleContext[] = [];
    let first: ParserRuleContext = context;
    while (first instanceof kind) {
      rights.push(present(first._right));
      first = present(first._left);
    }
    let left = this.#node(first);
    for (const right of rights.reverse()) left = Object.freeze({ type, left, right: this.#node(right) });
    return left;
  }

  #key(context: KeyContext): { readonly key: string } {
    const token = firstToken(context);
    const text = token.text ?? '';
    return Object.freeze({ key: token.type === FilterParser.STRING ? readString(text, placeOf(token)) : text });
  }

  #list(context: ListContext): FilterScalar[] {
    const start = firstToken(context);
    if (start.type === FilterParser.PLACEHOLDER) {
      const value = this.#placeholders[placeholderIndex(start.text ?? '')];
      if (Array.isArray(value)) return value.map((item) => this.#listed(item, start));
      throw new FilterParseError('IN needs a list here: hand in an array, or put the values in [ ]', placeOf(start));
    }
    return context.value().map((item) => this.#listed(this.#value(item), firstToken(item)));
  }

  #listed(value: FilterScalar, token: Token): FilterScalar {
    if (value !== null) return value;
    throw new FilterParseError('null cannot stand in a list: add OR key IS NULL', placeOf(token));
  }

  #value(context: ValueContext): FilterScalar {
    const start = firstToken(context);
    const place = placeOf(start);
    switch (start.type) {
      case FilterParser.PLACEHOLDER: {
        const value = this.#placeholders[placeholderIndex(start.text ?? '')] ?? null;
        if (typeof value !== 'object' || value === null) return value;
        throw new FilterParseError('A list stands where one value is compared: write IN', place);
      }
      case FilterParser.STRING:
        return readString(start.text ?? '', place);
      case FilterParser.TRUE:
        return true;
      case FilterParser.FALSE:
        return false;
      case FilterParser.NULL:
        return null;
      default: {
        const digits = present(context.NUMBER()).getText();
        return readNumber(digits, start.type === FilterParser.MINUS, place);
      }
    }
  }
}
