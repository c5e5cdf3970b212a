import type { Usage } from '@vernal/core';

/** All tokens of a model call, as far as the provider said; undefined when it said nothing. Never below 0, whatever it said. */
export function usedTokens({ totalTokens, promptTokens, completionTokens }: Usage): number | undefined {
  if (totalTokens !== undefined) return Math.max(0, totalTokens);
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return Math.max(0, (promptTokens ?? 0) + (completionTokens ?? 0));
}
