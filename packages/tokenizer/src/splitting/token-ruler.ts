/** Measures one text in tokens, from a moving start. */
export interface TokenRuler {
  /** The largest end so that `text[start..end)` has at most `budget` tokens; one character at least. `start` never moves back. */
  fit(start: number, budget: number): number;
  /** Tokens of `text[start..end)`, where `start` is that of the last `fit`. */
  count(start: number, end: number): number;
  /** The smallest start so that `text[start..end)` has about `budget` tokens, between the last `fit`'s start and `end`. */
  back(end: number, budget: number): number;
}
