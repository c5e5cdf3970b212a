import type { RunComparison } from '../compare/compare-runs.js';
import type { EvaluationRun } from '../run/evaluation-run.js';
import { caseTable } from './case-table.js';
import { scoreHistogram, verdictBar } from './charts.js';
import { comparisonSection } from './comparison-section.js';
import { html, Markup } from './markup.js';
import { scoreText, timeText } from './number-text.js';
import { STYLE } from './report-style.js';
import { spentLines } from './spent-lines.js';
import { type ReportOptions, reported } from './without-contents.js';

/** What the page shows beside the run. */
export interface HtmlReportOptions extends ReportOptions {
  /** Shown above the run. */
  readonly comparison?: RunComparison | undefined;
  /** Default: the run's name, else 'Evaluation'. */
  readonly title?: string | undefined;
  /** BCP 47 language of the contents. Default 'en'. */
  readonly language?: string | undefined;
}

/**
 * A run as one HTML file: tables, charts as inline SVG, light and dark. It loads nothing and runs nothing (its content security policy says so),
 * and everything in it is escaped: an answer with a script in it is shown as text. Without contents unless they are wanted.
 *
 * @example
 * await writeFile('report.html', htmlReport(run, { contents: true }));
 */
export function htmlReport(run: EvaluationRun, options: HtmlReportOptions = {}): string {
  const { comparison, title = run.name ?? 'Evaluation', language = 'en' } = options;
  const shown = reported(run, options);
  const facts = [
    ['started', run.startedAt],
    ['cases', String(run.cases.length)],
    ['time', timeText(run.durationMs)],
    ...spentLines(run),
  ].map(([what, value]) => html`<tr><th scope="row">${what}</th><td>${value}</td></tr>\n`);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="Vernal">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<table><caption>The run</caption><tbody>
${facts}</tbody></table>
${comparison === undefined ? undefined : comparisonSection(comparison)}<section>
<h2>Evaluators</h2>
${summaryTable(run)}
</section>
<section>
<h2>Cases</h2>
${caseTable(shown)}
</section>
</main>
</body>
</html>
`;
  return page.text;
}

function summaryTable(run: EvaluationRun): Markup {
  const rows = Object.entries(run.summary).map(([name, summary]) => {
    const { passed, failed, inconclusive, errors, meanScore } = summary;
    const counts = [passed, failed, inconclusive, errors].map((count) => html`<td class="number">${count}</td>`);
    const scores = run.cases.flatMap(({ results }) => {
      const result = Object.hasOwn(results, name) ? results[name] : undefined;
      return result === undefined || result.verdict === 'inconclusive' ? [] : result.score;
    });
    return html`<tr><th scope="row">${name}</th>${counts}<td class="number">${scoreText(meanScore)}</td><td>${verdictBar(name, summary)}<br>${scoreHistogram(name, scores)}</td></tr>
`;
  });
  return html`<div class="wide"><table>
<caption>The mean is over what passed and what failed. Errors are cases of which the evaluator says nothing.</caption>
<thead><tr><th scope="col">evaluator</th><th scope="col" class="number">passed</th><th scope="col" class="number">failed</th><th scope="col" class="number">inconclusive</th><th scope="col" class="number">errors</th><th scope="col" class="number">mean score</th><th scope="col">verdicts and scores</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}
