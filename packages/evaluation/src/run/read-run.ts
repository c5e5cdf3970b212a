import { invalidArgument } from '@vernal/core';
import type { CaseResult, EvaluationRun, EvaluatorSummary } from './evaluation-run.js';

/**
 * A run out of JSON that was written before, by this version or one that wrote the same shape.
 *
 * @throws VernalError `invalid_argument` for what is no run, and for a run of another version
 * @example
 * const before = readRun(JSON.parse(await readFile('before.json', 'utf8')));
 */
export function readRun(value: unknown): EvaluationRun {
  if (typeof value === 'string') throw invalidArgument('run', 'is a text: give what JSON.parse() makes of it');
  if (!isRecord(value) || !('version' in value)) throw invalidArgument('run', 'must be a run that evaluate() gave');
  if (value['version'] !== 1) throw invalidArgument('run', 'is of another version: evaluate again with this one');
  if (isRun(value)) return value;
  throw invalidArgument('run', 'is damaged: a part of it is missing or of another kind; evaluate again');
}

function isRun(value: object): value is EvaluationRun {
  const { cases, summary, spent, startedAt, durationMs, name } = value as Record<string, unknown>;
  return (
    Array.isArray(cases) &&
    cases.every(isCase) &&
    isRecord(summary) &&
    Object.values(summary).every(isSummary) &&
    isRecord(spent) &&
    typeof startedAt === 'string' &&
    isCount(durationMs) &&
    (name === undefined || typeof name === 'string')
  );
}

function isCase(value: unknown): value is CaseResult {
  if (!isRecord(value)) return false;
  const { id, results, errors, durationMs, evaluationMs, spent } = value;
  return (
    typeof id === 'string' &&
    isRecord(results) &&
    Object.values(results).every(isResult) &&
    (errors === undefined || isRecord(errors)) &&
    isCount(durationMs) &&
    isCount(evaluationMs) &&
    isRecord(spent)
  );
}

function isResult(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { verdict, score, feedback, metadata } = value;
  const isVerdict = verdict === 'pass' || verdict === 'fail' || verdict === 'inconclusive';
  return isVerdict && isCount(score) && score <= 1 && typeof feedback === 'string' && isRecord(metadata);
}

function isSummary(value: unknown): value is EvaluatorSummary {
  if (!isRecord(value)) return false;
  const { passed, failed, inconclusive, errors, meanScore } = value;
  return [passed, failed, inconclusive, errors, meanScore ?? 0].every(isCount);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
