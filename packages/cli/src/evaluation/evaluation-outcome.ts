import { type EvaluationRun, textReport } from '@vernal/evaluation';
import type { CliIo } from '../cli-io.js';
import { printable, writeLine } from '../output/write-line.js';
import type { ReportNames } from './report-files.js';

/** What came of an evaluation. */
export interface Outcome {
  readonly run: EvaluationRun;
  /** A sentence for each mean that is too low. */
  readonly low: readonly string[];
  /** Where the run was written. */
  readonly names: ReportNames | undefined;
}

const SHOWN_ERRORS = 3;

/** What failed, each failure once. */
export function errorsOf({ cases }: EvaluationRun): readonly string[] {
  const all = cases.flatMap(({ error, errors = {} }) => [error ?? [], Object.values(errors)].flat());
  return [...new Set(all)];
}

/** Prints a run: its numbers to stdout, where it went and what went wrong to stderr. */
export function tellOutcome({ run, low, names }: Outcome, json: boolean, io: CliIo): void {
  const { cases, summary, spent, durationMs } = run;
  const errors = errorsOf(run);
  const reports = names === undefined ? [] : [names.json, names.html];
  if (json) {
    const counts = { cases: cases.length, durationMs, summary, spent };
    writeLine(io.stdout, { type: 'evaluated', ...counts, errors, tooLow: low, reports });
    return;
  }
  writeLine(io.stdout, textReport(run, { errors: false })); // they go to stderr
  const lines = errors.slice(0, SHOWN_ERRORS).map((error) => `Failed: ${error}`);
  if (errors.length > SHOWN_ERRORS) lines.push(`Failed: ${errors.length - SHOWN_ERRORS} more kinds of failure`);
  if (reports.length > 0) lines.push(`Wrote ${reports.join(' and ')}`);
  for (const line of [...lines, ...low]) writeLine(io.stderr, printable(line));
}
