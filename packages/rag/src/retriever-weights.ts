import { invalidArgument } from '@vernal/core';

/** By place of the retriever; throws `invalid_argument` for what is no weight. */
export function checkedWeights(weights: readonly number[] | undefined): readonly number[] {
  if (weights === undefined) return [];
  if (!Array.isArray(weights) || !weights.every((weight) => weight >= 0 && Number.isFinite(weight)))
    throw invalidArgument('weights', 'must be numbers of at least 0, one for each retriever');
  return [...weights];
}

export function weightOf(weights: readonly number[], retriever: number): number {
  return weights[retriever] ?? 1;
}
