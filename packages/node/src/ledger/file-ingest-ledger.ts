import { randomUUID } from 'node:crypto';
import type { CallContext, IngestLedger, LedgerEntry, LedgerPage, StoredLedgerEntry } from '@vernal/core';
import { throwIfAborted, VernalError } from '@vernal/core';
import { sourcePage } from '@vernal/core/adapter';
import { fileError } from '../file-error.js';
import { pathOf } from '../file-resource.js';
import { LedgerFile } from './ledger-file.js';

/** The scope. */
export interface FileIngestLedgerOptions {
  /** Default `'default'`. */
  readonly scope?: string | undefined;
}

/**
 * A ledger in a file: a line of JSON for each change, read as a whole when it is first used. One process at a time has it, which a file
 * beside it with the ending `.lock` says; in that process any number of ledgers may be over the same file. A process that was killed leaves
 * the file whole but for its last line, which is then left out, and its lock is taken over.
 *
 * @throws VernalError when it is first used: `ledger_locked` while another process has the file, `ledger_read` for a file that is no ledger
 * or damaged, `resource` when it cannot be opened; `invalid_state` after it was closed
 * @example
 * ```ts
 * await using ledger = new FileIngestLedger('handbook.ledger');
 * await ingest(sources, { ledger, target: vectorStore });
 * ```
 */
export class FileIngestLedger implements IngestLedger {
  readonly scope: string;
  readonly #path: string;
  #file: Promise<LedgerFile> | undefined;
  #isClosed = false;

  constructor(path: string | URL, { scope = 'default' }: FileIngestLedgerOptions = {}) {
    this.#path = pathOf(path);
    this.scope = scope;
  }

  async get(source: string, context?: CallContext): Promise<StoredLedgerEntry | undefined> {
    return this.#entry(await this.#open(context), source);
  }

  async put(entry: LedgerEntry, revision: string | undefined, context?: CallContext): Promise<string | undefined> {
    const file = await this.#open(context);
    const { source, current, pending, stale } = structuredClone(entry);
    const stored: StoredLedgerEntry = { source, current, pending, stale, revision: randomUUID() };
    const isChanged = await this.#change(file, source, revision, stored, context);
    return isChanged ? stored.revision : undefined;
  }

  async delete(source: string, revision: string, context?: CallContext): Promise<boolean> {
    const file = await this.#open(context);
    return this.#change(file, source, revision, null, context);
  }

  async sources(page?: LedgerPage, context?: CallContext): Promise<readonly string[]> {
    const { scopes } = await this.#open(context);
    return sourcePage(scopes.get(this.scope)?.keys() ?? [], page);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const opened = await this.#file?.catch(() => undefined);
    if (opened !== undefined) await LedgerFile.release(this.#path);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(context: CallContext | undefined): Promise<LedgerFile> {
    throwIfAborted(context?.signal);
    if (this.#isClosed) throw new VernalError('This ledger is closed: make a new one', { code: 'invalid_state' });
    this.#file ??= LedgerFile.use(this.#path);
    try {
      return await this.#file;
    } catch (error) {
      // The next call tries again: whoever had it may be through.
      this.#file = undefined;
      throw fileError(this.#path, error, context?.signal);
    }
  }

  #entry({ scopes }: LedgerFile, source: string): StoredLedgerEntry | undefined {
    return scopes.get(this.scope)?.get(source);
  }

  async #change(
    file: LedgerFile,
    source: string,
    revision: string | undefined,
    entry: StoredLedgerEntry | null,
    context: CallContext | undefined,
  ): Promise<boolean> {
    try {
      return await file.change(() => {
        throwIfAborted(context?.signal);
        return this.#entry(file, source)?.revision === revision ? { scope: this.scope, source, entry } : undefined;
      });
    } catch (error) {
      throw fileError(this.#path, error, context?.signal);
    }
  }
}
