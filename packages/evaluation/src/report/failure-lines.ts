import type { EvaluationRun } from '../run/evaluation-run.js';

const SHOWN = 3;

/** Why pipeline and evaluators gave nothing, each reason once. What is read may come from a file, so a reason is kept to its line. */
export function failureLines({ cases }: EvaluationRun): readonly string[] {
  const times = new Map<string, number>();
  for (const { error, errors = {} } of cases) {
    const told = error === undefined ? [] : [`pipeline: ${error}`];
    for (const [evaluator, reason] of Object.entries(errors)) told.push(`${evaluator}: ${reason}`);
    for (const one of told) times.set(one, (times.get(one) ?? 0) + 1);
  }
  const lines = Array.from(
    times,
    ([reason, count]) => reason.replace(/\s+/g, ' ') + (count === 1 ? '' : ` (${count} times)`),
  );
  const more = lines.length - SHOWN;
  if (more <= 0) return lines;
  return [...lines.slice(0, SHOWN), `and ${more} more ${more === 1 ? 'kind' : 'kinds'} of failure`];
}
