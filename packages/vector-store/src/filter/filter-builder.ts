import type { FilterExpression, FilterInput, FilterNode } from './filter-expression.js';

/** As a tag: interpolations are values (a list becomes an IN list), never text. As an object: the builder. */
export interface FilterBuilder {
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

export declare const filter: FilterBuilder;
