/** What a bootstrap is made with. */
export interface BootstrapOptions {
  readonly resamples: number;
  /** 0.95: nineteen of twenty such intervals hold the true difference. */
  readonly confidence: number;
  readonly seed: number;
}

/**
 * The percentile interval of the mean of differences, over samples of the pairs with replacement.
 *
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13; for paired comparisons of systems Sakai, Evaluating Evaluation
 * Metrics Based on the Bootstrap, SIGIR 2006.
 */
export function pairedBootstrap(
  differences: readonly number[],
  { resamples, confidence, seed }: BootstrapOptions,
): readonly [low: number, high: number] {
  const random = randomFrom(seed);
  const count = differences.length;
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[Math.floor(random() * count)] ?? 0;
    means[i] = sum / count;
  }
  means.sort();
  const tail = (1 - confidence) / 2;
  const at = (share: number): number =>
    means[Math.min(Math.max(Math.round(share * (resamples - 1)), 0), resamples - 1)] ?? 0;
  return [at(tail), at(1 - tail)];
}

/** The same numbers for the same seed, on every machine: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
