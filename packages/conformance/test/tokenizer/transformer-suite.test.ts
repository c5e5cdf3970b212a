import { describeTransformer, vitestRunner } from '@vernal/testing';
import { loadTokenCountEstimator, TokenTextSplitter, type TokenTextSplitterOptions } from '@vernal/tokenizer';
import * as vitest from 'vitest';

vitest.describe.each<[string, TokenTextSplitterOptions]>([
  ['by default', {}],
  ['small chunks', { chunkSize: 20 }],
  ['overlapping chunks', { chunkSize: 30, overlap: 10 }],
  ['line ends as spaces', { chunkSize: 40, keepSeparator: false }],
  ['o200k_base', { chunkSize: 25, encoding: 'o200k_base' }],
])('%s', (_, options) => {
  describeTransformer('TokenTextSplitter', () => ({ subject: new TokenTextSplitter(options) }), {
    runner: vitestRunner(vitest),
  });
});

describeTransformer(
  'TokenTextSplitter with an estimator that only counts',
  async () => {
    const { count } = await loadTokenCountEstimator();
    return { subject: new TokenTextSplitter({ chunkSize: 30, estimator: { count } }) };
  },
  { runner: vitestRunner(vitest) },
);
