import type { Metadata } from '@vernal/core';
import type { FilterExpression } from './filter-expression.js';

/**
 * The reference semantics, on the normal tree: a missing key or null matches only NE, NIN and ISNULL; other types never match an
 * ordered comparison; IN [] matches nothing, NIN [] everything.
 */
export declare function evaluateFilter(expression: FilterExpression, metadata: Metadata): boolean;

/** The same, compiled once. */
export declare function compileFilter(expression: FilterExpression): (metadata: Metadata) => boolean;
