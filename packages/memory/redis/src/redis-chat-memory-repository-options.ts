import type { InitializeMemorySchema } from '@vernal/core/adapter';
import type { RedisMemoryClient } from './redis-memory-client.js';
import type { RedisMemoryFieldType } from './search/metadata-fields.js';

/** One of `client` and `url` is needed. */
export interface RedisChatMemoryRepositoryOptions {
  /**
   * A `Redis` or `Cluster` of `ioredis`. It stays yours: `close()` leaves it open. Without `keyPrefix`, which the query engine and lists of
   * keys do not know.
   */
  readonly client?: RedisMemoryClient | undefined;
  /**
   * Where the server is: `redis://…` or `rediss://…`. `ioredis` is imported at the first use, and what was opened is closed by `close()`.
   */
  readonly url?: string | undefined;
  /** What every key begins with; not empty, no braces, does not end with `message:`. Default `'chat-memory:'`. */
  readonly keyPrefix?: string | undefined;
  /** Milliseconds after its last append until a conversation is gone, 1 or more. Default: it stays. */
  readonly ttlMs?: number | undefined;
  /** How many keys a step of `findConversationIds` looks at. Default 1,000. */
  readonly pageSize?: number | undefined;
  /** Milliseconds until a command is given up as `timeout`. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Keeps a copy of the words of each message for the query engine, which the methods `findByContent` and so on ask. Default true when
   * `indexName` or `metadataFields` is given, else false. All who write to one prefix should agree on it.
   */
  readonly search?: boolean | undefined;
  /** Of the index over these copies. Default `'vernal-chat-memory'`. */
  readonly indexName?: string | undefined;
  /** Metadata keys of messages that `findByMetadata` knows, with their types. Default none. */
  readonly metadataFields?: Readonly<Record<string, RedisMemoryFieldType>> | undefined;
  /** Whether the index is made when it is missing: `'always'`; nothing else needs to be made. Default `'embedded'`, which is never. */
  readonly initializeSchema?: InitializeMemorySchema | undefined;
}
