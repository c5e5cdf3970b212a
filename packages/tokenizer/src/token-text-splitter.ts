import type { TokenCountEstimator } from '@vernal/core';
import { TextSplitter } from '@vernal/core';

export interface TokenTextSplitterOptions {
  /** Default an exact cl100k_base, from `@vernal/tokenizer`. */
  readonly estimator?: TokenCountEstimator | undefined;
  /** Default 800. */
  readonly chunkSize?: number | undefined;
  /** Default 350. */
  readonly minChunkSizeChars?: number | undefined;
  /** Default 5. */
  readonly minChunkLengthToEmbed?: number | undefined;
  /** Default 10,000. */
  readonly maxNumChunks?: number | undefined;
  /** Default true. */
  readonly keepSeparator?: boolean | undefined;
  /** Default `.`, `?`, `!`, newline and their CJK counterparts. */
  readonly punctuation?: readonly string[] | undefined;
  readonly overlap?: number | undefined;
}

/** In `@vernal/tokenizer`. */
export declare class TokenTextSplitter extends TextSplitter {
  constructor(options?: TokenTextSplitterOptions & { readonly copyContentFormatter?: boolean | undefined });
  protected splitText(text: string): readonly { readonly start: number; readonly end: number }[];
}
