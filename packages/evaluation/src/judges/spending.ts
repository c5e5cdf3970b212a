import type { Usage } from '@vernal/core';
import { addUsage } from '@vernal/core';

/** What calls of a model took, so far as it said. */
export interface Spending {
  readonly usage: Usage;
  readonly model: string | undefined;
}

/** Of several calls. */
export function addSpending(spendings: readonly Spending[]): Spending {
  const usage = plainUsage(spendings.reduce<Usage>((sum, spending) => addUsage(sum, spending.usage), {}));
  return { usage, model: spendings.find(({ model }) => model !== undefined)?.model };
}

/** The counters alone: what the provider sent beside them may be no JSON. */
export function plainUsage({ rounds: _, native: __, ...counters }: Usage): Usage {
  return counters;
}
