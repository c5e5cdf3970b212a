import type { FilterExpression } from './filter-expression.js';

/** A tree from outside; throws `filter_invalid` naming the path. */
export declare function validateFilter(value: unknown): FilterExpression;
