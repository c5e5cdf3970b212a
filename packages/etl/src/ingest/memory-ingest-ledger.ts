import type { CallContext, IngestLedger, LedgerEntry, LedgerPage, StoredLedgerEntry } from '@vernal/core';
import { throwIfAborted } from '@vernal/core';
import { sourcePage } from '@vernal/core/adapter';

/** The scope. */
export interface MemoryIngestLedgerOptions {
  /** Default `'default'`. */
  readonly scope?: string | undefined;
}

/** A ledger that ends with the process: for stores that do, too, and for tests. */
export class MemoryIngestLedger implements IngestLedger {
  readonly scope: string;
  readonly #entries = new Map<string, StoredLedgerEntry>();
  #revisions = 0;

  constructor({ scope = 'default' }: MemoryIngestLedgerOptions = {}) {
    this.scope = scope;
  }

  async get(source: string, context?: CallContext): Promise<StoredLedgerEntry | undefined> {
    throwIfAborted(context?.signal);
    return this.#entries.get(source);
  }

  async put(entry: LedgerEntry, revision: string | undefined, context?: CallContext): Promise<string | undefined> {
    throwIfAborted(context?.signal);
    if (this.#entries.get(entry.source)?.revision !== revision) return undefined;
    const next = String(++this.#revisions);
    const { source, current, pending, stale } = entry;
    this.#entries.set(source, structuredClone({ source, current, pending, stale, revision: next }));
    return next;
  }

  async delete(source: string, revision: string, context?: CallContext): Promise<boolean> {
    throwIfAborted(context?.signal);
    return this.#entries.get(source)?.revision === revision && this.#entries.delete(source);
  }

  async sources(page?: LedgerPage, context?: CallContext): Promise<readonly string[]> {
    throwIfAborted(context?.signal);
    return sourcePage(this.#entries.keys(), page);
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
