import type { FilterComparison, FilterExpression, FilterOperator, FilterScalar } from './filter-expression.js';
import { EVERY_OPERATOR, requireOperators } from './filter-operators.js';
import type { NormalFilter } from './normalize-filter.js';
import { chainOf, normalizeFilter } from './normalize-filter.js';

/**
 * A dialect: six methods from parts to `Out`. `convert` normalises first; an operator that is not in `operators` is
 * an `UnsupportedCapabilityError` before anything is written. Keys and values arrive as data: bind them, or escape both.
 * What each part has to mean is what `evaluateFilter` says.
 *
 * @example
 * ```ts
 * class SqlFilter extends FilterExpressionConverter<SqlFragment> {
 *   protected and(left: SqlFragment, right: SqlFragment) {
 *     return { text: `(${left.text} AND ${right.text})`, params: [...left.params, ...right.params] };
 *   }
 *   // …
 * }
 * ```
 * Source: Spring AI `AbstractFilterExpressionConverter`.
 */
export abstract class FilterExpressionConverter<Out> {
  /** Default all. */
  protected readonly operators: readonly FilterOperator[] = EVERY_OPERATOR;

  /**
   * The filter in the engine's own form. Takes any valid tree: NOT, groups and empty lists are resolved first.
   *
   * @throws VernalError `filter_invalid` for a tree that is none, `unsupported_capability` for an operator that is not in `operators`
   */
  convert(expression: FilterExpression): Out {
    const filter = normalizeFilter(expression);
    requireOperators(filter, this.operators, 'This filter dialect');
    return this.#convert(filter);
  }

  /** Chains are joined from the left, long ones in halves: neither side is used again. */
  protected abstract and(left: Out, right: Out): Out;
  protected abstract or(left: Out, right: Out): Out;
  /** `value` is null never; for an ordered comparison it is a number or a text. */
  protected abstract compare(type: FilterComparison, key: string, value: FilterScalar): Out;
  /** `values` is never empty and holds no null: empty lists become `constant`. */
  protected abstract list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): Out;
  protected abstract isNull(key: string, negated: boolean): Out;
  /** What matches everything, or nothing. */
  protected abstract constant(value: boolean): Out;

  #convert(filter: NormalFilter): Out {
    switch (filter.type) {
      case 'AND':
      case 'OR': {
        const operands = chainOf(filter).map((operand) => this.#convert(operand));
        return inParts(operands, (left, right) =>
          filter.type === 'AND' ? this.and(left, right) : this.or(left, right),
        );
      }
      case 'ISNULL':
      case 'ISNOTNULL':
        return this.isNull(filter.left.key, filter.type === 'ISNOTNULL');
      case 'IN':
      case 'NIN': {
        const { value } = filter.right;
        return value.length === 0
          ? this.constant(filter.type === 'NIN')
          : this.list(filter.type, filter.left.key, value);
      }
      default:
        return this.compare(filter.type, filter.left.key, filter.right.value);
    }
  }
}

/** Of a longer chain are halves joined. */
const SHORT_CHAIN = 32;

/** From the left; a long chain in halves: the parser of an engine goes as deep as parentheses stand inside each other. */
function inParts<T>(operands: readonly T[], join: (left: T, right: T) => T): T {
  if (operands.length <= SHORT_CHAIN) return operands.reduce(join);
  const middle = operands.length >> 1;
  return join(inParts(operands.slice(0, middle), join), inParts(operands.slice(middle), join));
}

/** For dialects of text with parameters: the only way text is made. */
export interface SqlFragment {
  readonly text: string;
  readonly params: readonly unknown[];
}
