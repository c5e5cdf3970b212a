import type { ChangedCase, EvaluatorComparison, RunComparison, RunLabel } from '../compare/compare-runs.js';
import { differenceChart } from './charts.js';
import { html, type Markup } from './markup.js';
import { differenceText, scoreText } from './number-text.js';
import { intervalText } from './text-report.js';

/** What changed between two runs. */
export function comparisonSection(comparison: RunComparison): Markup {
  const { before, after, confidence, evaluators } = comparison;
  const percent = String(Number((confidence * 100).toFixed(2)));
  const rows = evaluators.map(
    (
      one,
    ) => html`<tr><th scope="row">${one.evaluator}</th><td class="number">${one.pairs}</td><td class="number">${scoreText(one.meanBefore)}</td><td class="number">${scoreText(one.meanAfter)}</td><td class="number">${one.difference === undefined ? '–' : differenceText(one.difference)}</td><td class="number">${intervalText(one)}</td><td class="number">${one.pValue === undefined ? '–' : one.pValue.toFixed(3)}</td></tr>
`,
  );
  return html`<section>
<h2>Compared: ${labelText(before)} and then ${labelText(after)}</h2>
${differenceChart(comparison)}
<div class="wide"><table>
<caption>Means over the cases that were decided in both runs. The interval holds the true difference at ${percent} % (paired bootstrap); p is of the exact sign test.</caption>
<thead><tr><th scope="col">evaluator</th><th scope="col" class="number">cases</th><th scope="col" class="number">before</th><th scope="col" class="number">after</th><th scope="col" class="number">difference</th><th scope="col" class="number">interval</th><th scope="col" class="number">p</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
${evaluators.map(changes)}${missing(comparison)}</section>
`;
}

function changes({
  evaluator,
  better,
  worse,
  undecidedAfter,
  undecidedBefore,
}: EvaluatorComparison): Markup | undefined {
  const rows = [...rowsOf(worse, 'worse'), ...rowsOf(better, 'better')];
  const undecided = [list('No longer decided', undecidedAfter), list('Decided only now', undecidedBefore)];
  if (rows.length === 0) return html`${undecided}`;
  return html`<div class="wide"><table>
<caption>${evaluator}: cases whose score changed, largest change first.</caption>
<thead><tr><th scope="col">case</th><th scope="col">change</th><th scope="col" class="number">before</th><th scope="col" class="number">after</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
${undecided}`;
}

function rowsOf(changed: readonly ChangedCase[], kind: 'better' | 'worse'): readonly Markup[] {
  return changed.map(
    ({
      id,
      before,
      after,
    }) => html`<tr><th scope="row">${id}</th><td class="verdict-${kind === 'better' ? 'pass' : 'fail'}">${kind}</td><td class="number">${scoreText(before)}</td><td class="number">${scoreText(after)}</td></tr>
`,
  );
}

function missing(comparison: RunComparison): readonly (Markup | undefined)[] {
  return [
    list('Cases only before', comparison.onlyBefore),
    list('Cases only after', comparison.onlyAfter),
    list('Evaluators only before', comparison.evaluatorsOnlyBefore),
    list('Evaluators only after', comparison.evaluatorsOnlyAfter),
  ];
}

function list(what: string, names: readonly string[]): Markup | undefined {
  return names.length === 0 ? undefined : html`<p>${what}: ${names.join(', ')}</p>\n`;
}

function labelText({ name, startedAt }: RunLabel): string {
  return name === undefined ? startedAt : `${name} (${startedAt})`;
}
