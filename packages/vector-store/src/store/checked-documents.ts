import type { Document } from '@vernal/core';
import { invalidArgument, UnsupportedCapabilityError } from '@vernal/core';
import type { VectorStoreCapabilities } from './vector-store-capabilities.js';

/** Refuses a batch that no store can take, before anything is embedded or written. */
export function checkDocuments(
  documents: readonly Document[],
  capabilities: VectorStoreCapabilities,
  owner: string,
): void {
  if (!Array.isArray(documents)) throw invalidArgument('documents', 'must be a list; write() takes any iterable');
  const ids = new Set<string>();
  for (const [index, document] of documents.entries()) {
    const subject = `documents[${index}]`;
    if (typeof document !== 'object' || document === null) {
      throw invalidArgument(subject, 'must be a document: make it with document(text, metadata)');
    }
    const { id, text, media, metadata } = document;
    if (typeof id !== 'string' || id.trim() === '')
      throw invalidArgument(`${subject}.id`, 'must be a text that is not blank');
    if (ids.has(id)) {
      throw invalidArgument(
        `${subject}.id`,
        'occurs twice in this batch: the last one would win or not, by engine; keep one',
      );
    }
    ids.add(id);
    if ((text === undefined) === (media === undefined)) {
      throw invalidArgument(subject, 'must have either text or media, not both and not neither');
    }
    if (text !== undefined && typeof text !== 'string') throw invalidArgument(`${subject}.text`, 'must be text');
    if (media !== undefined && !capabilities.media) {
      throw new UnsupportedCapabilityError(
        `${owner} takes text only and ${subject} is media: use a store and a DocumentEmbeddingModel that take media`,
        { capability: 'media', owner, subject },
      );
    }
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
      throw invalidArgument(`${subject}.metadata`, 'must be an object; {} when there is none');
    }
  }
}
