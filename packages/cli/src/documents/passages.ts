import { TokenTextSplitter } from '@vernal/tokenizer';

/** Short enough that a question finds its passage and not a whole page. */
const PASSAGE_TOKENS = 220;

/** Changes with what the splitter makes of a document. */
export const PASSAGES_VERSION: string = `tokens-${PASSAGE_TOKENS}`;

/** How the command cuts documents into passages. */
export function passageSplitter(): TokenTextSplitter {
  return new TokenTextSplitter({
    chunkSize: PASSAGE_TOKENS,
    minChunkSizeChars: 200,
    maxNumChunks: Number.MAX_SAFE_INTEGER,
  });
}
