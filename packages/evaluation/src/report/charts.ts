import type { RunComparison } from '../compare/compare-runs.js';
import type { EvaluatorSummary } from '../run/evaluation-run.js';
import { html, type Markup } from './markup.js';
import { differenceText, scoreText } from './number-text.js';

const WIDTH = 320;
const BAR = 14;

/** How many cases passed, failed, stayed open and broke, as parts of one bar. */
export function verdictBar(evaluator: string, { passed, failed, inconclusive, errors }: EvaluatorSummary): Markup {
  const parts = [
    ['pass', passed, 'passed'],
    ['fail', failed, 'failed'],
    ['open', inconclusive, 'inconclusive'],
    ['broken', errors, 'errors'],
  ] as const;
  const all = passed + failed + inconclusive + errors;
  const label = `${evaluator}: ${parts.map(([, count, word]) => `${count} ${word}`).join(', ')}`;
  let at = 0;
  const bars = parts.map(([kind, count]) => {
    const width = all === 0 ? 0 : (count / all) * WIDTH;
    const bar = html`<rect class="${kind}" x="${at.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="${BAR}"/>`;
    at += width;
    return bar;
  });
  return html`<svg role="img" viewBox="0 0 ${WIDTH} ${BAR}" width="${WIDTH}" height="${BAR}"><title>${label}</title>${bars}</svg>`;
}

const BINS = 10;
const HEIGHT = 60;

/** How the scores lie between 0 and 1, in tenths; 1 is in the last. */
export function scoreHistogram(evaluator: string, scores: readonly number[]): Markup {
  const bins = new Array<number>(BINS).fill(0);
  for (const score of scores) {
    const bin = Math.min(Math.floor(score * BINS), BINS - 1);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const most = Math.max(...bins, 1);
  const label = `${evaluator}: scores in tenths, ${bins.join(', ')} cases`;
  const width = WIDTH / BINS;
  const bars = bins.map((count, index) => {
    const height = (count / most) * HEIGHT;
    return html`<rect class="score" x="${(index * width + 1).toFixed(2)}" y="${(HEIGHT - height).toFixed(2)}" width="${(width - 2).toFixed(2)}" height="${height.toFixed(2)}"/>`;
  });
  return html`<svg role="img" viewBox="0 0 ${WIDTH} ${HEIGHT + 14}" width="${WIDTH}" height="${HEIGHT + 14}"><title>${label}</title>${bars}<line class="axis" x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"/><text x="0" y="${HEIGHT + 12}">0</text><text x="${WIDTH}" y="${HEIGHT + 12}" text-anchor="end">1</text></svg>`;
}

/** Differences with their intervals around a line at nothing. */
export function differenceChart({ evaluators }: RunComparison): Markup | undefined {
  const shown = evaluators.flatMap(({ evaluator, difference, interval }) =>
    difference === undefined || interval === undefined ? [] : { evaluator, difference, interval },
  );
  if (shown.length === 0) return undefined;
  const reach = Math.max(...shown.flatMap(({ interval, difference }) => [...interval, difference].map(Math.abs)), 0.01);
  const [left, row] = [WIDTH * 0.6, 24];
  const x = (value: number): string => (left + WIDTH / 2 + (value / reach) * (WIDTH / 2 - 8)).toFixed(2);
  const height = shown.length * row + 8;
  const rows = shown.map(({ evaluator, difference, interval: [low, high] }, index) => {
    const y = index * row + row / 2 + 4;
    const kind = low > 0 ? 'pass' : high < 0 ? 'fail' : 'open';
    return html`<text x="0" y="${y + 4}">${evaluator}</text><line class="whisker ${kind}" x1="${x(low)}" y1="${y}" x2="${x(high)}" y2="${y}"/><circle class="${kind}" cx="${x(difference)}" cy="${y}" r="5"/>`;
  });
  const label = shown
    .map(({ evaluator, difference, interval: [low, high] }) => {
      return `${evaluator} ${differenceText(difference)}, between ${differenceText(low)} and ${differenceText(high)}`;
    })
    .join('; ');
  const width = left + WIDTH;
  return html`<svg role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${label} (axis to ${scoreText(reach)})</title><line class="axis" x1="${x(0)}" y1="0" x2="${x(0)}" y2="${height}"/>${rows}</svg>`;
}
