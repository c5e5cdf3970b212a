import type { CallContext } from '../context/call-context.js';

/** A state of a source's content, and how many passages were made of it. */
export interface IngestedVersion {
  /** Changes with the content, and with how passages are made of it. */
  readonly version: string;
  /**
   * Counts up when a version comes back while passages of it are still to be deleted: its passages then have other ids, which whoever is at
   * work deleting does not know. Absent: 0.
   */
  readonly take?: number | undefined;
  /** Their ids follow from scope, source, version, take and their number, from 0 on; so they need not be kept. */
  readonly count: number;
}

/** A version on its way into the store. `count` is how far it may have got. */
export interface PendingVersion extends IngestedVersion {
  /** So many passages, from the first on, are known to be in the store. Never above `count`. */
  readonly written: number;
}

/** What a store may hold of one source. */
export interface LedgerEntry {
  readonly source: string;
  /** The version that is in the store as a whole. Undefined before the first one is. */
  readonly current?: IngestedVersion | undefined;
  /** Begun and not complete: by somebody at work, or by somebody who was interrupted. */
  readonly pending?: PendingVersion | undefined;
  /** Passages of these are to be deleted from the store. */
  readonly stale: readonly IngestedVersion[];
}

/** An entry as it stands in a ledger. */
export interface StoredLedgerEntry extends LedgerEntry {
  /** Another one after each `put`: an opaque text. */
  readonly revision: string;
}

/** Which sources a ledger has. */
export interface LedgerPage {
  /** Sources behind this one only, in the ledger's own order. */
  readonly after?: string | undefined;
  /** At most so many. Default 1,000. */
  readonly limit?: number | undefined;
}

/**
 * Remembers what was ingested, so that a second run writes what changed and deletes what is gone, and a run that was killed goes on. It
 * keeps versions and numbers of passages, neither contents nor passages; one short entry a source. Every change names the revision that it
 * is based on, so of two that work on the same source one is told.
 *
 * Source: the record manager of LangChain's indexing API; Spring AI has nothing of the kind.
 */
export interface IngestLedger {
  /** One ledger may serve several stores or corpora: entries of different scopes do not meet. */
  readonly scope: string;
  get(source: string, context?: CallContext): Promise<StoredLedgerEntry | undefined>;
  /**
   * Replaces what the ledger has of the entry's source, if that still has this revision; undefined: if it has nothing. Gives the new
   * revision, or undefined when somebody else was quicker; then nothing has changed.
   */
  put(entry: LedgerEntry, revision: string | undefined, context?: CallContext): Promise<string | undefined>;
  /** Takes a source out, under the same condition; false when somebody else was quicker. */
  delete(source: string, revision: string, context?: CallContext): Promise<boolean>;
  /** A page of the sources; fewer than `limit` means that it is the last one. What is changed meanwhile may be in it or not. */
  sources(page?: LedgerPage, context?: CallContext): Promise<readonly string[]>;
  /** Gives back what the ledger opened; a client that was handed in stays open. Twice is once. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
