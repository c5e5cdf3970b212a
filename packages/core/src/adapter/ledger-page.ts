import type { LedgerPage } from '@vernal/core';
import { requireCount } from './option-checks.js';

/** A page with its default: 1,000 sources. Throws `invalid_argument` for a limit that is no whole number above 0. */
export function ledgerPage({ after, limit = 1000 }: LedgerPage = {}): {
  readonly after: string | undefined;
  readonly limit: number;
} {
  return { after, limit: requireCount(limit, 'limit') };
}
