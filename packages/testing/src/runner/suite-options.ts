import type { TestRunner } from './test-runner.js';

/** A case that is known to fail here. It is run; when it passes, the suite fails until the entry is taken out. */
export interface Deviation<CaseId extends string> {
  readonly case: CaseId;
  /** What the engine does instead, in one sentence. */
  readonly reason: string;
  /** Where it is reported. */
  readonly issue?: string | undefined;
}

/** What every suite takes; only the runner is needed. */
export interface SuiteOptions<CaseId extends string> {
  readonly runner: TestRunner;
  readonly deviations?: readonly Deviation<CaseId>[] | undefined;
  /** Of generated inputs; printed when a case fails. Default: fixed. */
  readonly seed?: number | undefined;
  /** Milliseconds a case. Default 30,000. */
  readonly timeout?: number | undefined;
  /**
   * Ids of cases, or how they begin; the others are left out of the run and of the report. For a further set-up of a subject, beside a run
   * of all cases. Default all.
   */
  readonly only?: readonly string[] | undefined;
  /** Gets the support matrix when the suite is through. */
  readonly onReport?: ((report: SuiteReport) => void | Promise<void>) | undefined;
}

/** What became of each case: what an adapter can do, in a form for tables. */
export interface SuiteReport {
  readonly suite:
    | 'chat-model'
    | 'embedding-model'
    | 'rerank-model'
    | 'vector-store'
    | 'memory'
    | 'reader'
    | 'transformer'
    | 'advisor'
    | 'ingest-ledger';
  readonly subject: string;
  readonly seed: number;
  readonly cases: readonly {
    readonly id: string;
    readonly outcome: 'pass' | 'fail' | 'deviation' | 'not-declared';
    readonly reason?: string;
  }[];
}
