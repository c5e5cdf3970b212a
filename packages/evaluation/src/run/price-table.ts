import type { Usage } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { plainUsage } from '../judges/spending.js';
import type { Spent } from './evaluation-run.js';

/** What a million tokens cost, in any currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of prompt tokens that were read from a cache. Default: `input`. */
  readonly cacheRead?: number | undefined;
  /** Of prompt tokens that were written to a cache. Default: `input`. */
  readonly cacheWrite?: number | undefined;
}

/**
 * Prices by model. A model that answers with a date behind its name ('gpt-5-mini-2025-08-07', 'claude-haiku-4-5-20251001') is found by the name
 * without it, unless it has an entry of its own.
 */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

/** Throws `invalid_argument` for prices that are no prices. */
export function checkPrices(prices: PriceTable): void {
  for (const [model, price] of Object.entries(prices)) {
    const all = [price.input, price.output, price.cacheRead ?? 0, price.cacheWrite ?? 0];
    if (all.some((one) => !Number.isFinite(one) || one < 0)) {
      throw invalidArgument(`prices.${model}`, 'must be numbers of at least 0, for a million tokens each');
    }
  }
}

/** Tokens that one part of a case took. */
export interface Consumption {
  readonly part: 'pipeline' | 'judges';
  readonly usage: Usage | undefined;
  readonly model: string | undefined;
}

/** Counts and, with a table, their price. */
export function spentOn(consumptions: readonly Consumption[], prices: PriceTable | undefined): Spent {
  return sumOfSpent(
    consumptions.flatMap(({ part, usage, model }) => {
      if (usage === undefined || Object.keys(plainUsage(usage)).length === 0) return [];
      const cost = prices === undefined ? undefined : costOf(plainUsage(usage), model, prices);
      const isUnpriced = prices !== undefined && cost === undefined;
      return {
        [part]: plainUsage(usage),
        ...(cost !== undefined && { [`${part}Cost`]: cost }),
        ...(isUnpriced && { unpriced: 1 }),
      };
    }),
  );
}

export function sumOfSpent(all: readonly Spent[]): Spent {
  const sum: { -readonly [K in keyof Spent]: Spent[K] } = {};
  for (const one of all) {
    if (one.pipeline !== undefined) sum.pipeline = addCounts(sum.pipeline ?? {}, one.pipeline);
    if (one.judges !== undefined) sum.judges = addCounts(sum.judges ?? {}, one.judges);
    for (const amount of ['pipelineCost', 'judgesCost', 'unpriced'] as const) {
      const value = one[amount];
      if (value !== undefined) sum[amount] = (sum[amount] ?? 0) + value;
    }
  }
  return sum;
}

const COUNTS = [
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;

/** `addUsage` lists every call that it adds: a run has thousands. */
function addCounts(a: Usage, b: Usage): Usage {
  const known = COUNTS.filter((count) => a[count] !== undefined || b[count] !== undefined);
  return Object.fromEntries(known.map((count) => [count, (a[count] ?? 0) + (b[count] ?? 0)]));
}

/** Undefined when the model or its tokens are not known. */
function costOf(usage: Usage, model: string | undefined, prices: PriceTable): number | undefined {
  const price = model === undefined ? undefined : priceOf(model, prices);
  const { promptTokens, completionTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (price === undefined || promptTokens === undefined) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const fresh = Math.max(promptTokens - cacheReadTokens - cacheWriteTokens, 0);
  const sum = fresh * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + completionTokens * output;
  return sum / 1_000_000;
}

function priceOf(model: string, prices: PriceTable): ModelPrice | undefined {
  const names = [model, model.replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/, '')];
  const name = names.find((one) => Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}
