import type { FilterComparison, FilterExpression, FilterOperator, FilterScalar } from './filter-expression.js';

/**
 * A dialect: six methods from parts to `Out`. `convert` normalises first; an operator that is not in `operators` is
 * an `UnsupportedCapabilityError` before anything is written. Keys and values arrive as data: bind them, or escape both.
 */
export declare abstract class FilterExpressionConverter<Out> {
  /** Default all. */
  protected readonly operators: readonly FilterOperator[];
  convert(expression: FilterExpression): Out;
  protected abstract and(left: Out, right: Out): Out;
  protected abstract or(left: Out, right: Out): Out;
  protected abstract compare(type: FilterComparison, key: string, value: FilterScalar): Out;
  /** `values` is never empty: empty lists become `constant`. */
  protected abstract list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): Out;
  protected abstract isNull(key: string, negated: boolean): Out;
  /** What matches everything, or nothing. */
  protected abstract constant(value: boolean): Out;
}

/** For dialects of text with parameters: the only way text is made. */
export interface SqlFragment {
  readonly text: string;
  readonly params: readonly unknown[];
}
