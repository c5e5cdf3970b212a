import { invalidArgument, throwIfAborted, untilAborted } from '@vernal/core';
import { Checkpoint } from './checkpoint.js';
import type { IngestEvent, IngestOptions, IngestReport } from './ingest-options.js';
import { ingestSettings } from './ingest-settings.js';
import type { IngestSource } from './ingest-source.js';
import { RunTally } from './run-tally.js';
import { type SharedRun, SourceRun } from './source-run.js';

/**
 * Brings what a store holds in line with sources, as often as it is called: writes those that are new or have changed, leaves the others
 * alone without reading them, and with `removeMissing` deletes those that are gone. A run that was killed is taken up where it stopped, and
 * ends as if it had never been. Passages get ids of their own making, the same in every run, so nothing is there twice.
 *
 * A changed source is written before its old passages are deleted: for that time both are found, and never nothing. A source that fails
 * keeps the passages that it had.
 *
 * @throws VernalError `invalid_argument` for bad options; `aborted` or `timeout` by the signal; what listing the sources throws, after
 * which nothing is taken for missing; with `onError: 'throw'` what a source throws
 * @example
 * ```ts
 * async function* handbook() {
 *   for await (const path of listFiles('handbook')) yield resourceSource(fileResource(path), new MarkdownReader(fileResource(path)));
 * }
 * const report = await ingest(handbook(), { ledger, target: vectorStore, transform: new TokenTextSplitter(), removeMissing: true });
 * console.log(`${report.added} new, ${report.changed} changed, ${report.removed} gone`);
 * ```
 * Source: LangChain's indexing API, with a record manager; Spring AI has nothing of the kind.
 */
export async function ingest(
  sources: Iterable<IngestSource> | AsyncIterable<IngestSource>,
  options: IngestOptions,
): Promise<IngestReport> {
  return inRun(options, async (shared) => {
    const seen = await ingestAll(sources, shared);
    if (options.removeMissing === true) await removeOthers(seen, options.allowEmpty === true, shared);
  });
}

/**
 * Takes sources out of a store, and out of the ledger; unknown ones are no error. What `ingest` does with those that are gone, for those
 * who know which.
 *
 * @throws VernalError as `ingest` does
 */
export async function removeSources(
  ids: Iterable<string> | AsyncIterable<string>,
  options: IngestOptions,
): Promise<IngestReport> {
  return inRun(options, async (shared) => {
    const { settings, context } = shared;
    await forEach(ids, settings.concurrency, context.signal, async (id) => {
      if ((await settings.ledger.get(id, context)) !== undefined) await new SourceRun(id, shared).remove();
    });
  });
}

/** Does the work with what all sources of a run share, and tells what came of it. */
async function inRun(options: IngestOptions, work: (shared: SharedRun) => Promise<void>): Promise<IngestReport> {
  const settings = ingestSettings(options);
  throwIfAborted(options.signal);
  const ending = new AbortController();
  const signal = options.signal === undefined ? ending.signal : AbortSignal.any([options.signal, ending.signal]);
  const context = { signal };
  const fatal: unknown[] = [];
  const end = (error: unknown): void => {
    fatal.push(error);
    ending.abort(error);
  };
  const onProgress = (event: IngestEvent): void => {
    try {
      options.onProgress?.(event);
    } catch (error) {
      end(error);
    }
  };
  const tally = new RunTally(onProgress);
  const checkpoint = new Checkpoint(options.flush, settings.flushEvery, context, end);
  const onFailure: SharedRun['onFailure'] = (source, error, written) => {
    // What ends the run is no failure of the sources that it interrupts.
    if (signal.aborted) return;
    settings.logger.warn('A source was not ingested', { source });
    tally.failed(source, error, written);
    if (settings.throws) end(error);
  };
  const shared: SharedRun = { settings, checkpoint, tally, onProgress, onFailure, context };
  try {
    await work(shared);
    await checkpoint.end();
  } catch (error) {
    end(error);
  }
  if (fatal.length > 0) {
    throwIfAborted(options.signal);
    throw fatal[0];
  }
  return tally.report();
}

/** Gives the ids of all. */
async function ingestAll(
  sources: Iterable<IngestSource> | AsyncIterable<IngestSource>,
  shared: SharedRun,
): Promise<ReadonlySet<string>> {
  const { settings, context } = shared;
  const seen = new Set<string>();
  await forEach(sources, settings.concurrency, context.signal, async (source) => {
    requireSource(source);
    const run = new SourceRun(source.id, shared);
    if (seen.has(source.id)) {
      shared.onFailure(source.id, invalidArgument('id', `${source.id} is the id of two sources: give each its own`), 0);
      return;
    }
    seen.add(source.id);
    await run.ingest(source);
  });
  return seen;
}

async function removeOthers(seen: ReadonlySet<string>, allowEmpty: boolean, shared: SharedRun): Promise<void> {
  const { settings, context } = shared;
  const limit = 1000;
  let after: string | undefined;
  for (;;) {
    const page = await settings.ledger.sources({ after, limit }, context);
    if (seen.size === 0 && page.length > 0 && !allowEmpty) {
      throw invalidArgument(
        'sources',
        'name none, and removeMissing would delete all: check where they come from, or set allowEmpty',
      );
    }
    const missing = page.filter((source) => !seen.has(source));
    await forEach(missing, settings.concurrency, context.signal, (source) => new SourceRun(source, shared).remove());
    if (page.length < limit) return;
    after = page.at(-1);
  }
}

/** Up to `concurrency` at a time. Closes the source of the items when one of them, or the signal, ends it. */
async function forEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = (async function* () {
    yield* items;
  })();
  const workers: Promise<void>[] = [];
  const worker = async (): Promise<void> => {
    let next = await untilAborted(source.next(), signal);
    if (next.done) return;
    // Whoever has an item calls the next worker: a concurrency far above the number of items takes no memory.
    const other = workers.length < concurrency ? started() : undefined;
    const own = async (): Promise<void> => {
      for (; !next.done; next = await untilAborted(source.next(), signal)) {
        await work(next.value);
        throwIfAborted(signal);
      }
    };
    await Promise.all([own(), other]);
  };
  const started = (): Promise<void> => {
    const one = worker();
    workers.push(one);
    return one;
  };
  try {
    await started();
  } finally {
    const closing = Promise.allSettled([source.return(undefined), ...workers]);
    if (!signal.aborted) await closing;
  }
}

function requireSource(source: IngestSource): void {
  const isSource =
    typeof source?.id === 'string' &&
    source.id !== '' &&
    typeof source.version === 'function' &&
    typeof source.reader?.stream === 'function';
  if (!isSource) {
    throw invalidArgument(
      'sources',
      'must be objects with id, version() and reader, as resourceSource(resource, reader) makes them',
    );
  }
}
