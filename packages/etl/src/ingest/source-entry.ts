import type { CallContext, IngestedVersion, IngestLedger, LedgerEntry } from '@vernal/core';
import { VernalError } from '@vernal/core';

/** Somebody else works on the same source. */
export function sourceConflict(source: string): VernalError {
  return new VernalError(
    `${source} was ingested by somebody else meanwhile: run again, one at a time for each source`,
    {
      code: 'ingest_conflict',
      subject: 'source',
    },
  );
}

/** The entry of one source while a run works on it: changed step by step, each change based on the one before. */
export class SourceEntry {
  readonly #ledger: IngestLedger;
  readonly #context: CallContext;
  #entry: LedgerEntry;
  #revision: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(ledger: IngestLedger, entry: LedgerEntry, revision: string | undefined, context: CallContext) {
    this.#ledger = ledger;
    this.#entry = entry;
    this.#revision = revision;
    this.#context = context;
  }

  static async open(ledger: IngestLedger, source: string, context: CallContext): Promise<SourceEntry> {
    const stored = await ledger.get(source, context);
    return new SourceEntry(ledger, stored ?? { source, stale: [] }, stored?.revision, context);
  }

  /** As this run left it. */
  get value(): LedgerEntry {
    return this.#entry;
  }

  /** @throws VernalError `ingest_conflict` when somebody else changed it */
  change(next: (entry: LedgerEntry) => LedgerEntry): Promise<void> {
    return this.#inTurn(async () => {
      const entry = next(this.#entry);
      const revision = await this.#ledger.put(entry, this.#revision, this.#context);
      if (revision === undefined) throw sourceConflict(entry.source);
      this.#entry = entry;
      this.#revision = revision;
    });
  }

  /** Takes the source out of the ledger. */
  remove(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#revision === undefined) return;
      const { source } = this.#entry;
      if (!(await this.#ledger.delete(source, this.#revision, this.#context))) throw sourceConflict(source);
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Whether the passages of both have the same ids. */
export function isSameTake(a: IngestedVersion, b: IngestedVersion): boolean {
  return a.version === b.version && (a.take ?? 0) === (b.take ?? 0);
}

/** The entry with `version` begun: what was pending before, if it is another one, is to be deleted. */
export function begun({ source, current, pending, stale }: LedgerEntry, version: string): LedgerEntry {
  if (pending?.version === version) return { source, current, pending, stale };
  const left = pending === undefined ? stale : [...stale, pending];
  const takes = left.filter((one) => one.version === version).map(({ take = 0 }) => take);
  // Somebody may be at work deleting a version that comes back.
  const take = takes.length === 0 ? undefined : Math.max(...takes) + 1;
  return { source, current, pending: { version, take, count: 0, written: 0 }, stale: left.map(withoutProgress) };
}

/** The entry with its pending version in place of the current one. */
export function completed({ source, current, pending, stale }: LedgerEntry, count: number): LedgerEntry {
  if (pending === undefined) throw new TypeError('Nothing is pending');
  const { version, take } = pending;
  return { source, current: { version, take, count }, stale: current === undefined ? stale : [...stale, current] };
}

function withoutProgress({ version, take, count }: IngestedVersion): IngestedVersion {
  return { version, take, count };
}

/** The entry with `to` passages of the pending version on their way; of a growing number, `ahead` more are noted at once. */
export function withPlanned(entry: LedgerEntry, to: number, ahead: number): LedgerEntry {
  const { pending } = entry;
  if (pending === undefined || pending.count >= to) return entry;
  return { ...entry, pending: { ...pending, count: to + ahead } };
}

/** The entry with so many passages of the pending version in the target. */
export function withWritten(entry: LedgerEntry, written: number): LedgerEntry {
  const { pending } = entry;
  return pending === undefined || pending.written >= written ? entry : { ...entry, pending: { ...pending, written } };
}
