import type { EmbeddingModel } from '@vernal/core';

/** Deterministic, by hashed words: equal texts equal vectors, shared words nearer. Default 64 dimensions. */
export declare function hashingEmbeddingModel(options?: { readonly dimensions?: number | undefined }): EmbeddingModel;
