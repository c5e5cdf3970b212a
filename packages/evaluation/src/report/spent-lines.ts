import type { EvaluationRun } from '../run/evaluation-run.js';
import { costText, countText } from './number-text.js';

/** What a run took, a fact a line: [what, how much]. */
export function spentLines({ spent }: EvaluationRun): readonly (readonly [string, string])[] {
  const lines: [string, string][] = [];
  for (const [what, usage, cost] of [
    ['pipeline', spent.pipeline, spent.pipelineCost],
    ['judges', spent.judges, spent.judgesCost],
  ] as const) {
    if (usage === undefined) continue;
    const { promptTokens, completionTokens, totalTokens } = usage;
    const parts = [
      promptTokens !== undefined && `${countText(promptTokens)} in`,
      completionTokens !== undefined && `${countText(completionTokens)} out`,
    ].filter((part) => part !== false);
    const tokens = parts.length > 0 ? parts.join(', ') : countText(totalTokens ?? 0);
    lines.push([`tokens of the ${what}`, `${tokens}${cost === undefined ? '' : `, cost ${costText(cost)}`}`]);
  }
  if (spent.unpriced !== undefined) lines.push(['without a price', `${countText(spent.unpriced)} counts of tokens`]);
  return lines;
}
