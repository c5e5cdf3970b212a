import type { LedgerPage } from '@vernal/core';
import { ledgerPage } from './ledger-page.js';

/**
 * A page of names that are in no order: those after `after`, the smallest first, at most `limit`. Each name is looked at once, and only a
 * page of them is ever held in order, so that a hundred thousand names take as long for each page as a walk over them.
 *
 * @throws VernalError `invalid_argument` for a limit that is no whole number above 0
 */
export function sourcePage(names: Iterable<string>, page?: LedgerPage): string[] {
  const { after, limit } = ledgerPage(page);
  const found: string[] = [];
  let last = '';
  for (const name of names) {
    if (after !== undefined && name <= after) continue;
    if (found.length >= limit && name >= last) continue;
    found.splice(placeOf(found, name), 0, name);
    if (found.length > limit) found.pop();
    last = found.at(-1) ?? '';
  }
  return found;
}

/** Where a name goes in a list that is in order. */
function placeOf(list: readonly string[], name: string): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
