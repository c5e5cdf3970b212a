import type { CallContext, Document, IngestedVersion } from '@vernal/core';
import { retry, throwIfAborted, untilAborted, VernalError, withDocument } from '@vernal/core';
import type { Checkpoint } from './checkpoint.js';
import type { IngestEvent } from './ingest-options.js';
import type { IngestSettings } from './ingest-settings.js';
import type { IngestSource } from './ingest-source.js';
import { type PassageBatch, passageBatches } from './passage-batches.js';
import { passageIds } from './passage-ids.js';
import type { RunTally } from './run-tally.js';
import { begun, completed, isSameTake, SourceEntry, withPlanned, withWritten } from './source-entry.js';
import { writeInOrder } from './write-in-order.js';

/** Ids a call of `delete`. */
const DELETED_AT_ONCE = 1000;
/** Batches that the ledger is told of ahead, so that it is not asked before each of them. */
const AHEAD = 16;

/** What the runs of one call of `ingest` share. */
export interface SharedRun {
  readonly settings: IngestSettings;
  readonly checkpoint: Checkpoint;
  readonly tally: RunTally;
  readonly onProgress: (event: IngestEvent) => void;
  /** Told of each source that fails. */
  readonly onFailure: (source: string, error: unknown, written: number) => void;
  readonly context: CallContext & { readonly signal: AbortSignal };
}

/** The work on one source. Whatever the target may come to hold of it stands in the ledger before. */
export class SourceRun {
  readonly #source: string;
  readonly #shared: SharedRun;
  readonly #idOf: ReturnType<typeof passageIds>;
  #written = 0;
  #isOver = false;

  constructor(source: string, shared: SharedRun) {
    this.#source = source;
    this.#shared = shared;
    this.#idOf = passageIds(shared.settings.ledger.scope, source);
  }

  /** Brings the target to the source's version. Does not throw. */
  async ingest(source: IngestSource): Promise<void> {
    const { settings, context } = this.#shared;
    try {
      throwIfAborted(context.signal);
      const own = await untilAborted((async () => source.version(context))(), context.signal);
      const version = settings.version === '' ? own : `${own}+${settings.version}`;
      const entry = await SourceEntry.open(settings.ledger, this.#source, context);
      const { current } = entry.value;
      if (current?.version === version) {
        await this.#dropOthers(entry);
        return this.#settled('unchanged');
      }
      await entry.change((before) => begun(before, version));
      const count = await this.#write(source, entry);
      await this.#afterwards(async () => {
        await entry.change((before) => completed(before, count));
        await this.#dropOthers(entry);
        this.#settled(current === undefined ? 'added' : 'changed');
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Takes all that the target has of a source out of it, and the source out of the ledger. Does not throw. */
  async remove(): Promise<void> {
    try {
      const entry = await SourceEntry.open(this.#shared.settings.ledger, this.#source, this.#shared.context);
      await entry.change(({ source, current, pending, stale }) => ({
        source,
        stale: [...stale, ...[current, pending].filter((one) => one !== undefined)],
      }));
      for (const version of entry.value.stale) await this.#delete(version);
      await this.#afterwards(async () => {
        await entry.remove();
        this.#settled('removed');
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Gives the number of passages. */
  async #write(source: IngestSource, entry: SourceEntry): Promise<number> {
    const { settings, tally } = this.#shared;
    const { batchSize: size, writeConcurrency } = settings;
    const { pending } = entry.value;
    if (pending === undefined) throw new TypeError('Nothing is pending');
    const skipped = pending.written;
    tally.resumed += skipped;
    const leaving = new AbortController();
    const signal = AbortSignal.any([this.#shared.context.signal, leaving.signal]);
    const context = { ...this.#shared.context, signal };
    const passages = settings.transform(source.reader.stream(context), context);
    const batches = passageBatches(passages, { skipped, size, signal });
    try {
      const count = await writeInOrder(batches, writeConcurrency, {
        write: async (batch) => {
          try {
            await entry.change((now) => withPlanned(now, endOf(batch), size * AHEAD));
            await this.#writeBatch(pending, batch, context);
          } catch (error) {
            leaving.abort(error);
            throw error;
          }
        },
        landed: (batch) => this.#landed(entry, batch),
      });
      // A run that was interrupted may have got further than there are passages.
      await this.#delete(pending, count);
      return count;
    } catch (error) {
      // What made the others leave, and not that they left.
      const first: unknown = leaving.signal.aborted ? leaving.signal.reason : error;
      if (VernalError.is(first) && first.code === 'ingest_conflict') await this.#cleanUp(entry);
      throw first;
    }
  }

  async #writeBatch(pending: IngestedVersion, { from, passages }: PassageBatch, context: CallContext): Promise<void> {
    const { settings } = this.#shared;
    const { signal, logger } = { ...context, logger: settings.logger };
    const named = await Promise.all(
      passages.map(async (passage, at) => withDocument(passage, { id: await this.#idOf(pending, from + at) })),
    );
    const ids = new Set(named.map(({ id }) => id));
    const enriched: Document[] = [];
    for await (const passage of settings.enrich(each(named), context)) {
      if (!ids.has(passage.id)) throw otherId();
      enriched.push(passage);
    }
    if (enriched.length === 0) return;
    await retry(() => settings.target.write(enriched, context), settings.retry, { signal, logger });
  }

  async #landed(entry: SourceEntry, batch: PassageBatch): Promise<void> {
    const { checkpoint, tally, onProgress } = this.#shared;
    const { length } = batch.passages;
    this.#written += length;
    tally.written += length;
    onProgress({ type: 'batch', source: this.#source, written: endOf(batch) });
    await this.#afterwards(() => entry.change((now) => withWritten(now, endOf(batch))));
    await checkpoint.changed(length);
  }

  /** Deletes what is neither current nor to become it. */
  async #dropOthers(entry: SourceEntry): Promise<void> {
    const { stale, pending } = entry.value;
    if (pending === undefined && stale.length === 0) return;
    if (pending !== undefined)
      await entry.change(({ source, current }) => ({ source, current, stale: [...stale, pending] }));
    for (const version of entry.value.stale) await this.#delete(version);
    await this.#afterwards(() => entry.change(({ source, current }) => ({ source, current, stale: [] })));
  }

  async #delete(version: IngestedVersion, from = 0): Promise<void> {
    const { count } = version;
    const { settings, tally, context, checkpoint } = this.#shared;
    for (let start = from; start < count; start += DELETED_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(DELETED_AT_ONCE, count - start) }, (_, at) => start + at);
      const ids = await Promise.all(numbers.map((number) => this.#idOf(version, number)));
      await retry(() => settings.target.delete(ids, context).then(() => {}), settings.retry, context);
      tally.deleted += ids.length;
      await checkpoint.changed(ids.length);
    }
  }

  /**
   * Somebody else took over: what this run wrote is theirs if they go on with it. Else nobody knows of it, or they may have deleted it before
   * the last of it landed.
   */
  async #cleanUp(entry: SourceEntry): Promise<void> {
    const { settings, context } = this.#shared;
    const now = await settings.ledger.get(this.#source, context);
    const { pending } = entry.value;
    const isTheirs = [now?.current, now?.pending].some((one) => one && pending && isSameTake(one, pending));
    if (pending !== undefined && !isTheirs) await this.#delete(pending);
  }

  #afterwards(mark: () => Promise<void>): Promise<void> {
    return this.#shared.checkpoint.after(mark, (error) => this.#failed(error));
  }

  #settled(outcome: 'added' | 'changed' | 'unchanged' | 'removed'): void {
    this.#isOver = true;
    this.#shared.tally.settled(this.#source, outcome, this.#written);
  }

  #failed(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#shared.onFailure(this.#source, error, this.#written);
  }
}

/** A passage that the ledger does not know could never be deleted. */
function otherId(): VernalError {
  return new VernalError(
    'enrich gave a passage an id of its own: it has to keep the ids that it is given; what makes several passages of one goes into transform',
    { code: 'invalid_state', subject: 'enrich' },
  );
}

function endOf({ from, passages }: PassageBatch): number {
  return from + passages.length;
}

async function* each(documents: readonly Document[]): AsyncGenerator<Document> {
  yield* documents;
}
