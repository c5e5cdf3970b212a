import type { FilterExpression } from './filter-expression.js';

/** A tree without NOT and without groups: what evaluators and dialects see. */
export type NormalFilter =
  | { readonly type: 'AND' | 'OR'; readonly left: NormalFilter; readonly right: NormalFilter }
  | Exclude<FilterExpression, { readonly type: 'AND' | 'OR' } | { readonly type: 'NOT' }>;

/** Validates, pushes NOT down (De Morgan; NOT NOT a is a; NOT ISNULL is ISNOTNULL), drops groups. */
export declare function normalizeFilter(expression: FilterExpression): NormalFilter;
