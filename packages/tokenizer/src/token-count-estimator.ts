import type { TokenCountEstimator } from '@vernal/core';
import { loadEncoding, requireEncodingName, type TokenEncodingName } from './encoding/load-encoding.js';
import type { TokenEncoding } from './encoding/token-encoding.js';

/** Estimators that are exact, with the encoding behind them: a splitter that is given one cuts at its tokens instead of guessing. */
const encodings = new WeakMap<TokenCountEstimator, TokenEncoding>();

export function encodingOf(estimator: TokenCountEstimator): TokenEncoding | undefined {
  return encodings.get(estimator);
}

/**
 * An exact token counter. The vocabulary is part of the installation: nothing is fetched, and it is imported when this is called, not
 * when the package is. All estimators of one encoding share it.
 *
 * Names of special tokens in a text, such as `<|endoftext|>`, are counted as the ordinary text they are.
 *
 * Source: Spring AI's `JTokkitTokenCountEstimator`.
 *
 * @param encoding default `cl100k_base`
 * @throws VernalError `invalid_argument` for an unknown encoding
 *
 * @example
 * const estimator = await loadTokenCountEstimator('o200k_base');
 * estimator.count('Hello, world'); // 3
 */
export async function loadTokenCountEstimator(
  encoding: TokenEncodingName = 'cl100k_base',
): Promise<TokenCountEstimator> {
  requireEncodingName(encoding);
  const loaded = await loadEncoding(encoding);
  const estimator: TokenCountEstimator = Object.freeze({ count: loaded.count });
  encodings.set(estimator, loaded);
  return estimator;
}
