import { invalidArgument } from '../errors/invalid-argument.js';
import type { Input } from '../json/json-value.js';

/**
 * Token counts. A counter is absent when the provider did not say: never NaN, never a made-up 0.
 * `totalTokens` is the provider's, or the sum when both parts are known.
 */
export interface Usage {
  /** The whole prompt, cached parts included. */
  readonly promptTokens?: number;
  /** The whole completion, reasoning included. */
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  /** Subset of `promptTokens`. */
  readonly cacheReadTokens?: number;
  /** Subset of `promptTokens`. */
  readonly cacheWriteTokens?: number;
  /** Subset of `completionTokens`. */
  readonly reasoningTokens?: number;
  /** One entry a model call, when there was more than one; the counters above are their sums. */
  readonly rounds?: readonly Usage[];
  /** As the provider sent it. Dropped when summed. */
  readonly native?: unknown;
}

const COUNTERS = [
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;

type Counters = { -readonly [K in (typeof COUNTERS)[number]]?: number };

type Counted = { -readonly [K in keyof Usage]: Usage[K] };

/** Shared by every response without counts. */
export const NO_USAGE: Usage = Object.freeze({});

/**
 * Sum of two model calls: an absent counter counts as absent, so absent + absent is absent and absent + 3 is 3. Fills `rounds`.
 * {} is nothing: added to a usage it gives that usage back, so a sum may start from it.
 */
export function addUsage(a: Usage, b: Usage): Usage {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const sum: Counters = {};
  for (const counter of COUNTERS) {
    const x = a[counter];
    const y = b[counter];
    if (x !== undefined || y !== undefined) sum[counter] = (x ?? 0) + (y ?? 0);
  }
  return { ...sum, rounds: [...roundsOf(a), ...roundsOf(b)] };
}

/** Drops what is undefined and fills in the total. Throws `invalid_argument` for a counter that is not a finite number. */
export function usageFromInput(input: Input<Usage>): Usage {
  const usage: Counted = {};
  for (const counter of COUNTERS) {
    const value = input[counter];
    if (value === undefined || value === null) continue;
    if (!Number.isFinite(value)) {
      throw invalidArgument(`metadata.usage.${counter}`, 'must be a finite number; leave it out when it is not known');
    }
    usage[counter] = value;
  }
  const { promptTokens, completionTokens } = usage;
  if (usage.totalTokens === undefined && promptTokens !== undefined && completionTokens !== undefined) {
    usage.totalTokens = promptTokens + completionTokens;
  }
  if (input.rounds !== undefined) usage.rounds = input.rounds;
  if (input.native !== undefined) usage.native = input.native;
  return usage;
}

/**
 * The running total of one model call after one more report: each counter keeps its last defined value. A total that was the sum
 * of its parts stays their sum.
 */
export function laterUsage(before: Usage, later: Usage): Usage {
  if (later === before || isEmpty(later)) return before;
  if (isEmpty(before)) return later;
  const merged: Counted = {};
  for (const counter of COUNTERS) {
    const value = later[counter] ?? before[counter];
    if (value !== undefined) merged[counter] = value;
  }
  const rounds = later.rounds ?? before.rounds;
  const native = later.native ?? before.native;
  if (rounds !== undefined) merged.rounds = rounds;
  if (native !== undefined) merged.native = native;
  const { promptTokens, completionTokens } = merged;
  const partsChanged = later.promptTokens !== undefined || later.completionTokens !== undefined;
  if (promptTokens !== undefined && completionTokens !== undefined && partsChanged && later.totalTokens === undefined) {
    if (totalIsSum(before)) merged.totalTokens = promptTokens + completionTokens;
  }
  return merged;
}

function totalIsSum({ promptTokens, completionTokens, totalTokens }: Usage): boolean {
  return totalTokens === undefined || totalTokens === (promptTokens ?? Number.NaN) + (completionTokens ?? Number.NaN);
}

function isEmpty(usage: Usage): boolean {
  for (const key in usage) {
    if (usage[key as keyof Usage] !== undefined) return false;
  }
  return true;
}

function roundsOf(usage: Usage): readonly Usage[] {
  if (usage.rounds !== undefined) return usage.rounds;
  const { native: _, ...counters } = usage;
  return [counters];
}
