import type { Collection } from 'mongodb';
import type { MemoryDocument } from './memory-document.js';

/** A conversation in its collection. */
export interface MemoryPlace {
  readonly collection: Collection<MemoryDocument>;
  readonly conversationId: string;
  /** As `storableText` writes the id. */
  readonly storedId: string;
  /** As `conversationKey` gives it. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}
