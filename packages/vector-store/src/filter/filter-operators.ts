import { UnsupportedCapabilityError } from '@vernal/core';
import type { FilterOperator } from './filter-expression.js';
import type { NormalFilter } from './normalize-filter.js';
import { chainOf } from './normalize-filter.js';

/** All thirteen. */
export const EVERY_OPERATOR: readonly FilterOperator[] = /* @__PURE__ */ Object.freeze([
  'AND',
  'OR',
  'NOT',
  'EQ',
  'NE',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'IN',
  'NIN',
  'ISNULL',
  'ISNOTNULL',
] as const);

function firstUnsupported(filter: NormalFilter, supported: ReadonlySet<FilterOperator>): FilterOperator | undefined {
  if (!supported.has(filter.type)) return filter.type;
  if (filter.type !== 'AND' && filter.type !== 'OR') return undefined;
  for (const operand of chainOf(filter)) {
    const found = firstUnsupported(operand, supported);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Throws `UnsupportedCapabilityError` for the first operator that is not in `operators`. NOT is gone from a normal tree. */
export function requireOperators(filter: NormalFilter, operators: readonly FilterOperator[], owner: string): void {
  if (operators === EVERY_OPERATOR) return;
  const missing = firstUnsupported(filter, new Set(operators));
  if (missing === undefined) return;
  const known = operators.length === 0 ? 'it takes no filter at all' : `it knows ${operators.join(', ')}`;
  throw new UnsupportedCapabilityError(
    `${owner} cannot filter by ${missing} (${known}): write the filter without it, or filter the results with compileFilter`,
    { code: 'unsupported_capability', subject: 'filterExpression', capability: `filter.${missing}`, owner },
  );
}
