import type { EvaluationResponse } from '../evaluator.js';
import type { CaseResult, EvaluationRun } from '../run/evaluation-run.js';
import { html, type Markup } from './markup.js';
import { scoreText, timeText } from './number-text.js';

/** Every case with what each evaluator said; texts only when the run still has them. */
export function caseTable(run: EvaluationRun): Markup {
  const names = Object.keys(run.summary);
  const hasContents = run.cases.some(({ contents }) => contents !== undefined);
  const texts = hasContents
    ? html`<th scope="col">question</th><th scope="col">answer</th><th scope="col">reference</th>`
    : undefined;
  const heads = names.map((name) => html`<th scope="col">${name}</th>`);
  const rows = run.cases.map((one) => caseRow(one, names, hasContents));
  return html`<div class="wide"><table>
<caption>Cases in the order of the set. A verdict, its score and, where contents are shown, the reason.</caption>
<thead><tr><th scope="col">case</th>${texts}${heads}<th scope="col" class="number">time</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

function caseRow(one: CaseResult, names: readonly string[], hasContents: boolean): Markup {
  const { question, response, reference } = one.contents ?? {};
  const texts = hasContents ? [question, response, reference].map((text) => html`<td class="text">${text}</td>`) : [];
  const error = one.error === undefined ? undefined : html`<br><span class="error">${one.error}</span>`;
  const cells = names.map((name) =>
    Object.hasOwn(one.results, name)
      ? verdictCell(one.results[name])
      : html`<td class="error">${errorOf(one, name)}</td>`,
  );
  return html`<tr><th scope="row">${one.id}${error}</th>${texts}${cells}<td class="number">${timeText(one.durationMs)}</td></tr>
`;
}

function verdictCell(result: EvaluationResponse | undefined): Markup | undefined {
  if (result === undefined) return undefined;
  const { verdict, score, feedback } = result;
  const value = verdict === 'inconclusive' ? '' : ` ${scoreText(score)}`;
  const reason = feedback === '' ? undefined : html`<br>${feedback}`;
  return html`<td class="text"><span class="verdict-${verdict}">${verdict}${value}</span>${reason}</td>`;
}

function errorOf({ errors }: CaseResult, name: string): string {
  return (errors !== undefined && Object.hasOwn(errors, name) ? errors[name] : undefined) ?? '–';
}
