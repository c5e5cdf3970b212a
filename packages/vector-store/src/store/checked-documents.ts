import type { Document } from '@vernal/core';
import { document, invalidArgument, isJsonValue, UnsupportedCapabilityError, VernalError } from '@vernal/core';
import type { VectorStoreCapabilities } from './vector-store-capabilities.js';

/** Refuses a batch that no store can take, before anything is embedded or written. Gives the documents, all of their metadata JSON. */
export function checkDocuments(
  documents: readonly Document[],
  capabilities: VectorStoreCapabilities,
  owner: string,
): readonly Document[] {
  if (!Array.isArray(documents)) throw invalidArgument('documents', 'must be a list; write() takes any iterable');
  const ids = new Set<string>();
  const converted = new Map<number, Document>();
  for (const [index, given] of documents.entries()) {
    const subject = `documents[${index}]`;
    if (typeof given !== 'object' || given === null) {
      throw invalidArgument(subject, 'must be a document: make it with document(text, metadata)');
    }
    const { id, text, media, metadata } = given;
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
    // Most documents come from the factory, and are not copied again.
    if (!isJsonValue(metadata)) converted.set(index, asJson(given, subject));
  }
  return converted.size === 0 ? documents : documents.map((given, index) => converted.get(index) ?? given);
}

/** Dates become text and what is undefined goes, as the factory has it. An engine would drop or change the rest, each in its way. */
function asJson({ id, text, media, metadata, format }: Document, subject: string): Document {
  try {
    return document({ id, text, media, metadata, format });
  } catch (error) {
    const path = (VernalError.is(error) && error.subject) || 'metadata';
    throw invalidArgument(`${subject}.${path}`, 'is not JSON: document(text, metadata) says what to give instead');
  }
}
