import { invalidArgument } from '@vernal/core';
import type { NormalFilter } from '@vernal/vector-store';
import { PARAMETER, PgFilter } from './pg-filter.js';

const filters = new PgFilter();

/** A statement with its values, in the order of its `$1`, `$2`, … */
export interface PgStatement {
  readonly text: string;
  readonly values: unknown[];
}

/** PostgreSQL counts parameters in 16 bits, and drivers let the count overflow. */
const MOST_PARAMETERS = 65_535;

/** Numbers the parameters of a text that was put together out of fragments. Only a filter can need more than there may be. */
export function statement(text: string, values: readonly unknown[]): PgStatement {
  if (values.length > MOST_PARAMETERS)
    throw invalidArgument(
      'filter',
      'needs more than 65,535 parameters, which is what a statement takes: use IN for lists of values',
    );
  let count = 0;
  return { text: text.replaceAll(PARAMETER, () => `$${++count}`), values: [...values] };
}

/** A condition for WHERE; undefined for no filter. */
export function condition(filter: NormalFilter | undefined): {
  readonly text: string;
  readonly params: readonly unknown[];
} {
  return filter === undefined ? { text: 'true', params: [] } : filters.convert(filter);
}
