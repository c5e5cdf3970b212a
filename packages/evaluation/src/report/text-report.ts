import type { EvaluatorComparison, RunComparison } from '../compare/compare-runs.js';
import type { EvaluationRun } from '../run/evaluation-run.js';
import { failureLines } from './failure-lines.js';
import { differenceText, scoreText, timeText } from './number-text.js';
import { spentLines } from './spent-lines.js';

/** What the text of a run says beside its numbers. */
export interface TextReportOptions {
  /** Default true: why cases and evaluators failed, each reason once, three at most. They quote nothing. */
  readonly errors?: boolean | undefined;
}

/** A run in a few lines, for a terminal. Holds names of evaluators, numbers and reasons of failures, no contents. */
export function textReport(run: EvaluationRun, { errors = true }: TextReportOptions = {}): string {
  const rows = Object.entries(run.summary).map(([name, one]) =>
    [name, one.passed, one.failed, one.inconclusive, one.errors, scoreText(one.meanScore)].map(String),
  );
  const broken = run.cases.filter(({ error }) => error !== undefined).length;
  const notes = [
    `${run.cases.length} ${run.cases.length === 1 ? 'case' : 'cases'} in ${timeText(run.durationMs)}${broken === 0 ? '' : `, ${broken} of them failed`}`,
    ...spentLines(run).map(([what, much]) => `${what}: ${much}`),
    ...(errors ? failureLines(run) : []),
  ];
  const head = ['evaluator', 'passed', 'failed', 'inconclusive', 'errors', 'mean score'];
  return printable([...table([head, ...rows]), '', ...notes].join('\n'));
}

/** What changed between two runs, for a terminal. Holds ids of cases, no contents. */
export function textComparison(comparison: RunComparison): string {
  const head = ['evaluator', 'cases', 'before', 'after', 'difference', 'interval', 'better', 'worse', 'p'];
  const rows = comparison.evaluators.map((one) => [
    one.evaluator,
    String(one.pairs),
    scoreText(one.meanBefore),
    scoreText(one.meanAfter),
    one.difference === undefined ? '–' : differenceText(one.difference),
    intervalText(one),
    String(one.better.length),
    String(one.worse.length),
    one.pValue === undefined ? '–' : one.pValue.toFixed(3),
  ]);
  return printable([...table([head, ...rows]), ...changeLines(comparison)].join('\n'));
}

/** '−0.050 to +0.100' */
export function intervalText({ interval }: EvaluatorComparison): string {
  return interval === undefined ? '–' : interval.map(differenceText).join(' to ');
}

const SHOWN = 10;

function changeLines(comparison: RunComparison): readonly string[] {
  const { evaluators, onlyBefore, onlyAfter, evaluatorsOnlyBefore, evaluatorsOnlyAfter } = comparison;
  const lists: (readonly [string, readonly string[]])[] = evaluators.flatMap((one) => [
    [`${one.evaluator} worse`, one.worse.map(({ id }) => id)] as const,
    [`${one.evaluator} better`, one.better.map(({ id }) => id)] as const,
    [`${one.evaluator} no longer decided`, one.undecidedAfter] as const,
    [`${one.evaluator} decided only now`, one.undecidedBefore] as const,
  ]);
  lists.push(['cases only before', onlyBefore], ['cases only after', onlyAfter]);
  lists.push(['evaluators only before', evaluatorsOnlyBefore], ['evaluators only after', evaluatorsOnlyAfter]);
  const lines = lists
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => {
      const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
      return oneLine(`${what}: ${names.slice(0, SHOWN).join(', ')}${more}`);
    });
  return lines.length === 0 ? [] : ['', ...lines];
}

/** The first column to the left, the others to the right. */
function table(given: readonly (readonly string[])[]): readonly string[] {
  const rows = given.map((row) => row.map(oneLine));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** No name and no id may pass for lines of the report. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ');
}

/** No name and no id may steer the terminal, nor turn round what is read: control characters, and those of the direction of writing. */
function printable(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '');
}
