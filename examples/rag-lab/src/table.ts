import type { Row } from './measure.js';

const HEAD = ['pipeline', 'recall@5', 'nDCG@10', 'beside naive (95 %)', 'better', 'worse', 'ms', 'model calls'];

/** The rows as a Markdown table that is also readable as it stands. */
export function table(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [head = HEAD, ...body] = cells;
  return [line(head), rule, ...body.map(line)].join('\n');
}

function cellsOf({ pipeline, recall5, ndcg10, beside, milliseconds, modelCalls }: Row): string[] {
  const [low, high] = beside?.interval ?? [0, 0];
  return [
    pipeline,
    percent(recall5),
    percent(ndcg10),
    beside === undefined ? '' : `${points(beside.difference)} [${points(low)}, ${points(high)}]`,
    beside === undefined ? '' : String(beside.better),
    beside === undefined ? '' : String(beside.worse),
    milliseconds.toFixed(1),
    String(Math.round(modelCalls * 100) / 100),
  ];
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function points(difference: number): string {
  return `${difference < 0 ? '' : '+'}${(100 * difference).toFixed(1)}`;
}
