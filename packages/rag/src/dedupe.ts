import type { CallContext, Document, DocumentEmbeddingModel, EmbeddingModel } from '@vernal/core';
import { embedDocuments, invalidArgument } from '@vernal/core';
import { distinctTexts } from './near-duplicates.js';
import type { DocumentPostProcessor } from './parts.js';
import { documentsWithText } from './render-documents.js';

/** All may be left out. */
export interface DedupeOptions {
  /** How alike two texts are to be taken for one, above 0 and up to 1. Default 0.95. */
  readonly similarity?: number | undefined;
  /** Compares by the cosine of embeddings instead of by words: finds what says the same in other words, for one more request. */
  readonly embeddingModel?: EmbeddingModel | DocumentEmbeddingModel | undefined;
}

/**
 * Drops a document that is `similarity` like an earlier one that is kept: copies, versions and overlapping chunks take room from others.
 * The first of two is the one that stays, so put it behind what orders documents. In front of a reranker it saves that some work.
 *
 * Alike is how many pairs of neighbouring words two texts share, of all that are in either (Jaccard); case, width, punctuation and white
 * space do not count. At 0.95 a text of a hundred words may differ in one. Scripts without spaces go by characters. Documents without text are kept.
 *
 * @throws VernalError `invalid_argument` for a similarity out of range
 * @example
 * ```ts
 * documentPostProcessors: [dedupe({ similarity: 0.8 })];
 * ```
 */
export function dedupe({ similarity = 0.95, embeddingModel }: DedupeOptions = {}): DocumentPostProcessor {
  if (!(similarity > 0 && similarity <= 1)) throw invalidArgument('similarity', 'must be a number above 0, up to 1');
  return {
    process: async (_query, documents, context) => {
      const readable = documentsWithText(documents);
      const places =
        embeddingModel === undefined
          ? distinctTexts(
              readable.map(({ text }) => text ?? ''),
              similarity,
            )
          : distinctVectors(await vectorsOf(embeddingModel, readable, context), similarity);
      const kept = new Set(places.map((place) => readable[place]));
      const dropped = new Set(readable.filter((document) => !kept.has(document)));
      return documents.filter((document) => !dropped.has(document));
    },
  };
}

async function vectorsOf(
  model: EmbeddingModel | DocumentEmbeddingModel,
  documents: readonly Document[],
  context: CallContext | undefined,
): Promise<Float32Array[]> {
  return documents.length < 2 ? documents.map(() => new Float32Array(0)) : embedDocuments(model, documents, context);
}

function distinctVectors(vectors: readonly Float32Array[], similarity: number): number[] {
  const kept: { readonly at: number; readonly vector: Float32Array }[] = [];
  for (const [at, vector] of vectors.entries()) {
    if (kept.some((one) => cosine(one.vector, vector) >= similarity)) continue;
    kept.push({ at, vector });
  }
  return kept.map(({ at }) => at);
}

/** 0 where one of them has no direction. */
function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  const lengths = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  return lengths === 0 ? 0 : product / lengths;
}
