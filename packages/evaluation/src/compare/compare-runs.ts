import { invalidArgument } from '@vernal/core';
import { countOf } from '../request-needs.js';
import type { CaseResult, EvaluationRun } from '../run/evaluation-run.js';
import { type BootstrapOptions, pairedBootstrap } from './paired-bootstrap.js';
import { signTest } from './sign-test.js';

/** How sure one wants to be. */
export interface CompareRunsOptions {
  /** Of the interval, between 0 and 1. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Default 10,000. */
  readonly resamples?: number | undefined;
  /** Default 1. The same seed gives the same interval. */
  readonly seed?: number | undefined;
}

/** One case whose score changed. */
export interface ChangedCase {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

/** One evaluator in two runs, over the cases that it decided in both. */
export interface EvaluatorComparison {
  readonly evaluator: string;
  /** Cases that are compared. With 0 of them the rest is absent or empty. */
  readonly pairs: number;
  readonly meanBefore?: number;
  readonly meanAfter?: number;
  /** `meanAfter - meanBefore`. */
  readonly difference?: number;
  /** Of the difference, by a paired bootstrap. It says little below some twenty cases. */
  readonly interval?: readonly [low: number, high: number];
  /** The exact sign test over the cases that changed, two-sided. */
  readonly pValue?: number;
  /** Largest change first. */
  readonly better: readonly ChangedCase[];
  readonly worse: readonly ChangedCase[];
  /** Decided before and no longer, because of an error or an unclear verdict. */
  readonly undecidedAfter: readonly string[];
  /** Decided only since. */
  readonly undecidedBefore: readonly string[];
}

/** Two runs side by side. Plain data; holds ids, no contents. */
export interface RunComparison {
  readonly version: 1;
  readonly before: RunLabel;
  readonly after: RunLabel;
  readonly confidence: number;
  /** Evaluators of both runs, in the order of the first. */
  readonly evaluators: readonly EvaluatorComparison[];
  /** Cases that only one run has. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Evaluators that only one run has. */
  readonly evaluatorsOnlyBefore: readonly string[];
  readonly evaluatorsOnlyAfter: readonly string[];
}

/** Which run it is. */
export interface RunLabel {
  readonly name?: string;
  readonly startedAt: string;
}

/**
 * What changed from one run to another: per evaluator the difference of the means with an interval, a sign test, and the cases that got better and
 * worse. Cases are paired by their id; those that an evaluator did not decide in both runs are named, and not compared.
 *
 * Sources: Efron and Tibshirani (1993) and Sakai (SIGIR 2006) for the paired bootstrap, Dixon and Mood (1946) for the sign test. Several
 * evaluators are several tests: with twenty of them one differs by chance.
 *
 * @throws VernalError `invalid_argument` for options out of range
 * @example
 * const { evaluators } = compareRuns(before, after);
 * const [relevancy] = evaluators; // { difference: 0.08, interval: [0.02, 0.14], pValue: 0.02, … }
 */
export function compareRuns(
  before: EvaluationRun,
  after: EvaluationRun,
  options: CompareRunsOptions = {},
): RunComparison {
  const { confidence = 0.95, seed = 1 } = options;
  if (!(confidence > 0 && confidence < 1)) throw invalidArgument('confidence', 'must be a number between 0 and 1');
  if (!Number.isInteger(seed)) throw invalidArgument('seed', 'must be a whole number');
  const bootstrap = { confidence, seed, resamples: countOf(options.resamples, 10_000, 'resamples') };
  const [casesBefore, casesAfter] = [byId(before), byId(after)];
  const [namesBefore, namesAfter] = [Object.keys(before.summary), Object.keys(after.summary)];
  const both = namesBefore.filter((name) => namesAfter.includes(name));
  return {
    version: 1,
    before: labelOf(before),
    after: labelOf(after),
    confidence,
    evaluators: both.map((name) => comparisonOf(name, casesBefore, casesAfter, bootstrap)),
    onlyBefore: [...casesBefore.keys()].filter((id) => !casesAfter.has(id)),
    onlyAfter: [...casesAfter.keys()].filter((id) => !casesBefore.has(id)),
    evaluatorsOnlyBefore: namesBefore.filter((name) => !namesAfter.includes(name)),
    evaluatorsOnlyAfter: namesAfter.filter((name) => !namesBefore.includes(name)),
  };
}

type CasesById = ReadonlyMap<string, CaseResult>;

/** The first of an id that is there twice: the others were not evaluated. */
function byId({ cases }: EvaluationRun): CasesById {
  const firsts = new Map<string, CaseResult>();
  for (const one of cases) if (!firsts.has(one.id)) firsts.set(one.id, one);
  return firsts;
}

function labelOf({ name, startedAt }: EvaluationRun): RunLabel {
  return { ...(name !== undefined && { name }), startedAt };
}

function comparisonOf(
  evaluator: string,
  casesBefore: CasesById,
  casesAfter: CasesById,
  bootstrap: BootstrapOptions,
): EvaluatorComparison {
  const changes: ChangedCase[] = [];
  const [undecidedBefore, undecidedAfter]: [string[], string[]] = [[], []];
  for (const [id, caseBefore] of casesBefore) {
    const caseAfter = casesAfter.get(id);
    if (caseAfter === undefined) continue;
    const [scoreBefore, scoreAfter] = [scoreOf(caseBefore, evaluator), scoreOf(caseAfter, evaluator)];
    if (scoreBefore !== undefined && scoreAfter !== undefined) {
      changes.push({ id, before: scoreBefore, after: scoreAfter });
    } else if (scoreBefore !== undefined) undecidedAfter.push(id);
    else if (scoreAfter !== undefined) undecidedBefore.push(id);
  }
  const largestFirst = [...changes].sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  const better = largestFirst.filter(({ before, after }) => after > before);
  const worse = largestFirst.filter(({ before, after }) => after < before);
  const lists = { better, worse, undecidedAfter, undecidedBefore };
  if (changes.length === 0) return { evaluator, pairs: 0, ...lists };
  const meanBefore = mean(changes.map(({ before }) => before));
  const meanAfter = mean(changes.map(({ after }) => after));
  return {
    evaluator,
    pairs: changes.length,
    meanBefore,
    meanAfter,
    difference: meanAfter - meanBefore,
    interval: pairedBootstrap(
      changes.map(({ before, after }) => after - before),
      bootstrap,
    ),
    pValue: signTest(better.length, worse.length),
    ...lists,
  };
}

/** Undefined when nothing was decided. */
function scoreOf({ results }: CaseResult, evaluator: string): number | undefined {
  const result = Object.hasOwn(results, evaluator) ? results[evaluator] : undefined;
  return result === undefined || result.verdict === 'inconclusive' ? undefined : result.score;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
