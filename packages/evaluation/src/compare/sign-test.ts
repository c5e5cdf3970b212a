/**
 * The exact two-sided sign test: how likely it is that the cases split at least this unevenly when better and worse are equally likely. Ties are
 * left out. 1 when nothing changed.
 *
 * Source: Dixon and Mood, The Statistical Sign Test, Journal of the American Statistical Association 41 (1946).
 */
export function signTest(better: number, worse: number): number {
  const trials = better + worse;
  const fewer = Math.min(better, worse);
  if (trials === 0 || better === worse) return 1;
  // C(n, i) / 2^n by logarithms: it is beyond the range of numbers otherwise.
  let logTerm = -trials * Math.LN2;
  let sum = 0;
  for (let i = 0; i <= fewer; i++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log((trials - i) / (i + 1));
  }
  return Math.min(2 * sum, 1);
}
