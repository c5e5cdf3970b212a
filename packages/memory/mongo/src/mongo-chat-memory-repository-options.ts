import type { InitializeMemorySchema } from '@vernal/core/adapter';
import type { Collection, MongoClient } from 'mongodb';

/** One of `collection`, `client` and `url` is needed. */
export interface MongoChatMemoryRepositoryOptions {
  /** Yours, as its client is: `close()` leaves it open. Made without a collation of its own. */
  readonly collection?: Collection | undefined;
  /** Of the driver. It stays yours: `close()` leaves it open. */
  readonly client?: MongoClient | undefined;
  /**
   * Where the server is: `mongodb://…` or `mongodb+srv://…`. The driver is imported at the first use, and what it opened is closed by
   * `close()`. How long a call waits for a server that is away is `serverSelectionTimeoutMS` in it, 30,000 by default.
   */
  readonly url?: string | undefined;
  /** Default the one that the client or the url names. Not beside `collection`. */
  readonly databaseName?: string | undefined;
  /** Default `'vernal_chat_memory'`; Spring AI's `ai_chat_memory` has another layout. Not beside `collection`. */
  readonly collectionName?: string | undefined;
  /** Milliseconds after its last append until a conversation is gone, by the clock of this machine. Default: it stays. */
  readonly ttlMs?: number | undefined;
  /** Whether indexes are made at the first use: `'always'`, or `'never'`. Default `'embedded'`, which is never, for this is a server. */
  readonly initializeSchema?: InitializeMemorySchema | undefined;
  /** How many ids `findConversationIds` reads at once. Default 1,000. */
  readonly pageSize?: number | undefined;
}
