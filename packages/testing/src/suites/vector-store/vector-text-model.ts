import type { CallContext, EmbeddingModel, EmbeddingOptions } from '@vernal/core';
import { untilAborted } from '@vernal/core';

const NUMBERS = '(?:NaN|-?Infinity|-?\\d+(?:\\.\\d+)?)(?:, (?:NaN|-?Infinity|-?\\d+(?:\\.\\d+)?))+';
const VECTOR = new RegExp(`^\\[${NUMBERS}\\]$`);
const BARE_VECTOR = new RegExp(`^<${NUMBERS}>$`);

/** A text that is never embedded: the model waits for the signal. */
export const HANGS = '<hangs>';

function numbersOf(text: string): number[] {
  return text
    .slice(1, -1)
    .split(',')
    .map((part) => Number(part.trim()));
}

/**
 * `model`, but for texts that say their vector: '[0.8, 0.6]' is that, followed by zeros; '<1, 2>' is that and no more. For cases about
 * exact scores and about vectors that a store cannot take. `hanging` is over once the model has been asked for `HANGS`.
 */
export function vectorTextModel(
  model: EmbeddingModel,
  dimensions: number,
): { readonly embeddingModel: EmbeddingModel; readonly hanging: Promise<void> } {
  let hang = (): void => {};
  const hanging = new Promise<void>((resolve) => {
    hang = resolve;
  });
  const vectorOf = (text: string): Float32Array | undefined => {
    if (BARE_VECTOR.test(text)) return Float32Array.from(numbersOf(text));
    if (!VECTOR.test(text)) return undefined;
    const vector = new Float32Array(dimensions);
    vector.set(numbersOf(text));
    return vector;
  };
  const embed = async (
    texts: readonly string[],
    options?: EmbeddingOptions,
    context?: CallContext,
  ): Promise<Float32Array[]> => {
    if (texts.includes(HANGS)) {
      hang();
      await untilAborted(new Promise<never>(() => {}), context?.signal);
    }
    const hashed = await model.embed(texts, options, context);
    return texts.map((text, index) => vectorOf(text) ?? hashed[index] ?? new Float32Array(0));
  };
  return { embeddingModel: { ...model, embed }, hanging };
}
