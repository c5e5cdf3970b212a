import type { IngestEvent, IngestOutcome, IngestReport } from './ingest-options.js';

/** What became of the sources of a run. */
export class RunTally {
  readonly #onProgress: (event: IngestEvent) => void;
  readonly #outcomes: Record<Exclude<IngestOutcome, 'failed'>, number> = {
    added: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
  };
  readonly #failed: { readonly source: string; readonly error: unknown }[] = [];
  /** Passages, and ids. */
  written = 0;
  resumed = 0;
  deleted = 0;

  constructor(onProgress: (event: IngestEvent) => void) {
    this.#onProgress = onProgress;
  }

  settled(source: string, outcome: Exclude<IngestOutcome, 'failed'>, written: number): void {
    this.#outcomes[outcome] += 1;
    this.#onProgress({ type: 'source', source, outcome, written });
  }

  failed(source: string, error: unknown, written: number): void {
    this.#failed.push({ source, error });
    this.#onProgress({ type: 'source', source, outcome: 'failed', written, error });
  }

  /** As it stands. */
  report(): IngestReport {
    const { written, resumed, deleted } = this;
    return { ...this.#outcomes, failed: [...this.#failed], written, resumed, deleted };
  }
}
