import { invalidArgument } from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { resolveFilter, unsupported } from './search-request.js';
import type { DeleteTarget } from './vector-store.js';
import type { VectorStoreCapabilities } from './vector-store-capabilities.js';

/** Each id once; or the filter, parsed. What is neither is refused, because a guess here deletes the wrong documents. */
export function checkDeleteTarget(
  target: DeleteTarget,
  capabilities: VectorStoreCapabilities,
  owner: string,
): { readonly ids: readonly string[] } | { readonly filter: NormalFilter } {
  if (isList(target)) {
    for (const [index, id] of target.entries()) {
      if (typeof id !== 'string') throw invalidArgument(`ids[${index}]`, 'must be text');
    }
    return { ids: [...new Set(target)] };
  }
  const given: { readonly filter?: unknown } = typeof target === 'object' && target !== null ? target : {};
  if (given.filter === undefined || given.filter === null) {
    throw invalidArgument(
      'target',
      'must be a list of ids or { filter }: a bare text or tree could be meant as either',
    );
  }
  if (!capabilities.deleteByFilter) {
    throw unsupported('deleteByFilter', owner, 'filter', 'find the documents and delete them by id');
  }
  return { filter: resolveFilter(target.filter, capabilities, owner) };
}

function isList(target: DeleteTarget): target is readonly string[] {
  return Array.isArray(target);
}
