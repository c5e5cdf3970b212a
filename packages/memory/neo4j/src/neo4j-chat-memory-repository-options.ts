import type { InitializeMemorySchema } from '@vernal/core/adapter';
import type { Neo4jMemoryLabels } from './memory-labels.js';
import type { Neo4jMemoryDriver } from './neo4j-memory-driver.js';

/** One of `driver` and `url` is needed. */
export interface Neo4jChatMemoryRepositoryOptions {
  /** A driver of `neo4j-driver`. It stays yours: `close()` leaves it open. */
  readonly driver?: Neo4jMemoryDriver | undefined;
  /**
   * Where the server is: `neo4j://user:password@host`, or with `neo4j+s`, `neo4j+ssc`, `bolt`, `bolt+s`, `bolt+ssc`. `neo4j-driver` is imported
   * at the first use, and what was opened is closed by `close()`. For other ways to log in pass a `driver`.
   */
  readonly url?: string | undefined;
  /** Default the one of the user. */
  readonly database?: string | undefined;
  /** Labels of the nodes, all different. Default `ChatSession`, `ChatMessage`, `ChatToolCall`, `ChatToolResponse`, `ChatMetadata`, `ChatMedia`. */
  readonly labels?: Partial<Neo4jMemoryLabels> | undefined;
  /**
   * Whether the constraint and the index are made when they are missing: `'always'`; with `'never'` their absence is an error. Default
   * `'embedded'`, which here is `'never'`.
   */
  readonly initializeSchema?: InitializeMemorySchema | undefined;
  /** How many ids `findConversationIds` reads at once. Default 1,000. */
  readonly pageSize?: number | undefined;
  /** Milliseconds until a call is given up as `timeout`, here and on the server. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}
