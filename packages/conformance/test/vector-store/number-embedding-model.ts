import type { CallContext, Document, DocumentEmbeddingModel, EmbeddingModel, EmbeddingRequest } from '@vernal/core';

/** A text is its vector: '1 0.5' becomes [1, 0.5]. Counts its calls. */
export function numberEmbeddingModel(dimensions = 2): EmbeddingModel & { readonly calls: string[][] } {
  const calls: string[][] = [];
  const embed = async (
    texts: readonly string[],
    _options?: unknown,
    context?: CallContext,
  ): Promise<Float32Array[]> => {
    context?.signal?.throwIfAborted();
    calls.push([...texts]);
    return texts.map(toVector);
  };
  return {
    provider: 'numbers',
    metadataMode: 'none',
    calls,
    embed,
    call: async (request: EmbeddingRequest, context?: CallContext) => ({
      embeddings: (await embed(request.inputs, undefined, context)).map((vector, index) => ({ vector, index })),
      metadata: { usage: {} },
    }),
    dimensions: async () => dimensions,
  };
}

/** The same for documents as they are; media have the length of their MIME type for a vector. */
export function numberDocumentModel(): DocumentEmbeddingModel {
  return {
    provider: 'numbers',
    embedDocuments: async (documents: readonly Document[]) =>
      documents.map(({ text, media }) => toVector(text ?? `${media?.mimeType.length ?? 0} 1`)),
    dimensions: async () => 2,
  };
}

export function toVector(text: string): Float32Array {
  return Float32Array.from(text.split(' '), Number);
}
