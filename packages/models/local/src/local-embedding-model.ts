import { setImmediate } from 'node:timers/promises';
import {
  BaseEmbeddingModel,
  type Embedding,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  type Logger,
  type MetadataMode,
  type ObservationRegistry,
  type ResolvedEmbeddingOptions,
  UnsupportedCapabilityError,
  VernalError,
} from '@vernal/core';
import { TEXT_VECTOR_DIMENSIONS, textVector } from './embedding/text-vector.js';
import { loadLexicon } from './load-lexicon.js';

/** All may be left out: there is nothing to connect to. */
export interface LocalEmbeddingModelOptions {
  /** What of a document is embedded. Default 'embed'. */
  readonly metadataMode?: MetadataMode | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. */
  readonly logger?: Logger | undefined;
}

/** Changes with the numbers: vectors of two names must not be compared. */
const MODEL = 'vernal-words-en-1';
const MAX_INPUTS = 256;
/** So many characters take about as long as other work may be kept waiting: some ten milliseconds. */
const CHARACTERS_A_TURN = 16_384;

/**
 * Embeds text inside the process: no server, no key, nothing downloaded. English words by a table of word vectors that is
 * part of the package and is read on the first use; names, numbers, unknown words and other scripts by what they are made
 * of, so that they find themselves but not their synonyms. See `textVector` for how, and the README for how well.
 *
 * Vectors have 1,024 numbers and length 1. The same text always gives the same vector. There is no limit on a text's length,
 * but one vector says less the longer its text is. Usage is not reported, for nothing is counted.
 *
 * @throws `UnsupportedCapabilityError` when asked for another number of dimensions; `model_not_found` when asked for another model.
 * Source: the place of `TransformersEmbeddingModel` of Spring AI.
 *
 * @example
 * const [question, answer] = await new LocalEmbeddingModel().embed(['How do I sign in?', 'Enter your password to log in.']);
 */
export class LocalEmbeddingModel extends BaseEmbeddingModel {
  readonly provider: string = 'local';

  constructor({ metadataMode, observationRegistry, logger }: LocalEmbeddingModelOptions = {}) {
    super({
      metadataMode,
      observationRegistry,
      logger,
      limits: { maxInputs: MAX_INPUTS },
      defaultOptions: { model: MODEL },
    });
  }

  protected async doCall({ inputs, options, signal }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    checkOptions(options);
    const lexicon = await loadLexicon();
    const embeddings: Embedding[] = [];
    let characters = 0;
    for (const [index, text] of inputs.entries()) {
      if (characters > CHARACTERS_A_TURN) {
        await setImmediate(undefined, { signal });
        characters = 0;
      }
      characters += text.length;
      embeddings.push({ index, vector: textVector(text, lexicon) });
    }
    return { embeddings, metadata: { model: MODEL, usage: {} } };
  }

  protected override knownDimensions(): number {
    return TEXT_VECTOR_DIMENSIONS;
  }
}

function checkOptions({ model, dimensions }: ResolvedEmbeddingOptions): void {
  if (dimensions !== undefined && dimensions !== TEXT_VECTOR_DIMENSIONS) {
    throw new UnsupportedCapabilityError(
      `LocalEmbeddingModel gives vectors of ${TEXT_VECTOR_DIMENSIONS} numbers and no other; leave 'dimensions' out`,
      { capability: 'dimensions', owner: 'local', subject: 'dimensions' },
    );
  }
  if (model !== undefined && model !== MODEL) {
    throw new VernalError(`LocalEmbeddingModel has the model '${MODEL}' and no other; leave 'model' out`, {
      code: 'model_not_found',
      subject: 'model',
    });
  }
}
