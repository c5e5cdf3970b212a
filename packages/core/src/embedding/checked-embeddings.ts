import { ModelError } from '../errors/model-error.js';
import type { Embedding, EmbeddingResponse } from './embedding-model.js';

/**
 * The response with its embeddings by index, each a Float32Array. Throws `model_error` when one is missing or twice, holds something that
 * is no finite number, or has another length than the rest or than what was asked for: such vectors would spoil an index in silence.
 */
export function checkedEmbeddings(
  response: EmbeddingResponse,
  inputs: number,
  provider: string,
  dimensions: number | undefined,
): EmbeddingResponse {
  const byIndex = new Map<number, Embedding>();
  for (const embedding of response.embeddings) byIndex.set(embedding.index, embedding);
  if (response.embeddings.length !== inputs || byIndex.size !== inputs) {
    throw fault(provider, `gave ${response.embeddings.length} embeddings for ${inputs} inputs`);
  }
  const embeddings: Embedding[] = [];
  for (let index = 0; index < inputs; index++) {
    const embedding = byIndex.get(index);
    if (embedding === undefined) throw fault(provider, `gave no embedding for input ${index}`);
    const vector = floats(embedding.vector);
    const wanted = dimensions ?? embeddings[0]?.vector.length ?? vector.length;
    if (vector.length !== wanted || wanted === 0) {
      throw fault(provider, `gave ${vector.length} dimensions for input ${index}, ${wanted} were expected`);
    }
    if (!vector.every(Number.isFinite)) throw fault(provider, `gave a number that is not finite for input ${index}`);
    embeddings.push(vector === embedding.vector ? embedding : { ...embedding, vector });
  }
  return { ...response, embeddings };
}

/** Untyped code may hand over a list of numbers. */
export function floats(vector: Float32Array | readonly number[]): Float32Array {
  return vector instanceof Float32Array ? vector : Float32Array.from(vector);
}

function fault(provider: string, what: string): ModelError {
  return new ModelError(`${provider} ${what}; the response is not used`, { provider, subject: 'embeddings' });
}
