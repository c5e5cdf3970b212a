import type { FilterExpression } from './filter-expression.js';

/** Prints what `parseFilter` reads back as an equal tree. */
export declare function printFilter(expression: FilterExpression): string;
