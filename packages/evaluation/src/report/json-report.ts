import type { EvaluationRun } from '../run/evaluation-run.js';
import { type ReportOptions, reported } from './without-contents.js';

/** A run as JSON text for a file, which `readRun` takes back. Without contents unless they are wanted; comparisons need none. */
export function jsonReport(run: EvaluationRun, options: ReportOptions = {}): string {
  return `${JSON.stringify(reported(run, options), undefined, 2)}\n`;
}
