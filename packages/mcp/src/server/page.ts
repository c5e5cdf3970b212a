import { invalidParams } from './feature-error.js';

/** One page of a list. The cursor is the place of the next item; one that this server never gave is an error of the caller. */
export function page<T>(
  items: readonly T[],
  cursor: string | undefined,
  size: number,
): { readonly items: T[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0 || (cursor !== undefined && !/^\d+$/.test(cursor)))
    throw invalidParams('The cursor is not one that this server gave');
  const end = start + size;
  return { items: items.slice(start, end), ...(end < items.length ? { nextCursor: String(end) } : undefined) };
}
