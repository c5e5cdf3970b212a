import type { CallContext, Document, Documents, TokenCountEstimator } from '@vernal/core';
import { invalidArgument, TextSplitter, VernalError, withDocument } from '@vernal/core';
import { loadEncoding, requireEncodingName, type TokenEncodingName } from './encoding/load-encoding.js';
import type { TokenEncoding } from './encoding/token-encoding.js';
import { type CutChooser, cutChooser, DEFAULT_PUNCTUATION } from './splitting/cut-chooser.js';
import { encodingRuler } from './splitting/encoding-ruler.js';
import { estimatorRuler } from './splitting/estimator-ruler.js';
import { type Span, type SplitLimits, splitByTokens } from './splitting/split-by-tokens.js';
import type { TokenRuler } from './splitting/token-ruler.js';
import { encodingOf } from './token-count-estimator.js';

/** How long chunks are and where they may end. Out of range is `invalid_argument`. */
export interface TokenTextSplitterOptions {
  /**
   * Counts tokens as the model in use does. Default an exact one of `encoding`. One from `loadTokenCountEstimator` is as quick as the
   * default; any other is asked a few times a chunk.
   */
  readonly estimator?: TokenCountEstimator | undefined;
  /** The encoding of the default estimator, imported when the first document arrives. Default `cl100k_base`. Not together with `estimator`. */
  readonly encoding?: TokenEncodingName | undefined;
  /** The most tokens a chunk has. Default 800. */
  readonly chunkSize?: number | undefined;
  /** A chunk is cut at punctuation only behind this many characters (UTF-16 units). Default 350, or half of the window when that is less. */
  readonly minChunkSizeChars?: number | undefined;
  /**
   * A rest of up to so many characters at the end of a document takes a share of the chunk before it. Nothing is dropped: a document
   * that is shorter as a whole is one chunk. Default 5.
   */
  readonly minChunkLengthToEmbed?: number | undefined;
  /** A document with more chunks is an error. Default 10,000. */
  readonly maxNumChunks?: number | undefined;
  /** False makes each line end character of a chunk a space. Default true. */
  readonly keepSeparator?: boolean | undefined;
  /**
   * Marks after which a chunk may end. An ASCII mark counts only before white space or the end of the text, so numbers, URLs and file
   * names stay whole; a closing quote or bracket stays with its sentence. Default `.`, `?`, `!`, newline and their CJK counterparts.
   */
  readonly punctuation?: readonly string[] | undefined;
  /** Tokens that a chunk repeats from the end of the one before, never more than half of it; below `chunkSize`. Default 0. */
  readonly overlap?: number | undefined;
}

/**
 * Splits text into chunks of at most `chunkSize` tokens. The text is encoded once and cut at offsets of the source, so no character is
 * lost, changed or cut in two: a chunk is above the limit only when one single code point is. Cuts are looked for at the last mark
 * that fits, then between words, then between the characters a reader sees, then anywhere. Chunks are trimmed of white space and never
 * empty; text of only white space or zero-width spaces has none. Time is linear in the length of the text.
 *
 * Source: Spring AI's `TokenTextSplitter`.
 *
 * @throws VernalError `invalid_argument` for options out of range, and when a document has more than `maxNumChunks` chunks
 *
 * @example
 * const splitter = new TokenTextSplitter({ chunkSize: 400, overlap: 40 });
 * for await (const chunk of splitter.transform(documents)) await store.add([chunk]);
 */
export class TokenTextSplitter extends TextSplitter {
  readonly #settings: Settings;
  /** Undefined until it is loaded, and for estimators that only count. */
  #encoding: TokenEncoding | undefined;

  constructor(options: TokenTextSplitterOptions & { readonly copyContentFormatter?: boolean | undefined } = {}) {
    super({ copyContentFormatter: options.copyContentFormatter });
    this.#settings = resolve(options);
    this.#encoding = options.estimator && encodingOf(options.estimator);
  }

  /** Imports the vocabulary once. */
  protected override async prepare(): Promise<void> {
    const { estimator, encodingName } = this.#settings;
    if (estimator === undefined) this.#encoding ??= await loadEncoding(encodingName);
  }

  protected splitText(text: string): readonly Span[] {
    const { cuts, limits, keepSeparator, maxNumChunks } = this.#settings;
    const ruler = this.#ruler(keepSeparator ? text : withoutLineEnds(text));
    const spans: Span[] = [];
    for (const span of splitByTokens(text, ruler, cuts, limits)) {
      if (spans.length === maxNumChunks) {
        throw invalidArgument(
          'maxNumChunks',
          `a document has more than ${maxNumChunks} chunks. Raise maxNumChunks or chunkSize, or split the document before`,
        );
      }
      spans.push(span);
    }
    return spans;
  }

  #ruler(text: string): TokenRuler {
    if (this.#encoding !== undefined) return encodingRuler(text, this.#encoding, this.#settings.limits.chunkSize);
    if (this.#settings.estimator !== undefined) return estimatorRuler(text, this.#settings.estimator);
    throw new VernalError(
      'The vocabulary is not loaded: call transform(), or pass `estimator: await loadTokenCountEstimator()`',
      {
        code: 'invalid_state',
        subject: 'estimator',
      },
    );
  }

  override transform(documents: Documents, options?: CallContext): AsyncIterable<Document> {
    const chunks = super.transform(documents, options);
    return this.#settings.keepSeparator ? chunks : eachWithoutLineEnds(chunks);
  }
}

async function* eachWithoutLineEnds(chunks: AsyncIterable<Document>): AsyncGenerator<Document> {
  for await (const chunk of chunks) {
    yield chunk.text === undefined ? chunk : withDocument(chunk, { text: withoutLineEnds(chunk.text) });
  }
}

interface Settings {
  readonly estimator: TokenCountEstimator | undefined;
  readonly encodingName: TokenEncodingName;
  readonly cuts: CutChooser;
  readonly limits: SplitLimits;
  readonly maxNumChunks: number;
  readonly keepSeparator: boolean;
}

function resolve(options: TokenTextSplitterOptions): Settings {
  const {
    chunkSize = 800,
    minChunkLengthToEmbed = 5,
    maxNumChunks = 10_000,
    punctuation = DEFAULT_PUNCTUATION,
    overlap = 0,
  } = options;
  const { estimator, encoding = 'cl100k_base', minChunkSizeChars, keepSeparator = true } = options;
  requireWhole('chunkSize', chunkSize, 1);
  requireWhole('minChunkLengthToEmbed', minChunkLengthToEmbed, 0);
  requireWhole('maxNumChunks', maxNumChunks, 1);
  requireWhole('overlap', overlap, 0);
  if (minChunkSizeChars !== undefined) requireWhole('minChunkSizeChars', minChunkSizeChars, 0);
  if (overlap >= chunkSize) throw invalidArgument('overlap', 'must be below chunkSize');
  if (punctuation.length === 0 || punctuation.includes(''))
    throw invalidArgument('punctuation', 'must name at least one mark, and no empty one');
  if (estimator !== undefined && typeof estimator.count !== 'function')
    throw invalidArgument('estimator', 'must have count(text)');
  if (estimator !== undefined && options.encoding !== undefined)
    throw invalidArgument('encoding', 'give either estimator or encoding');
  requireEncodingName(encoding);
  return {
    estimator,
    encodingName: encoding,
    cuts: cutChooser({ punctuation, minChunkSizeChars }),
    limits: { chunkSize, overlap, minChunkLengthToEmbed },
    maxNumChunks,
    keepSeparator,
  };
}

function requireWhole(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least)
    throw invalidArgument(name, `must be a whole number, at least ${least}`);
}

/** A unit for a unit, so that offsets stay. */
function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
