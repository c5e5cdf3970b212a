import type { Container, CosmosClient, CosmosClientOptions } from '@azure/cosmos';
import type { InitializeMemorySchema } from '@vernal/core/adapter';

/** One of `container`, `client` and `endpoint` is needed. */
export interface CosmosDbChatMemoryRepositoryOptions {
  /** A container of yours, partitioned by `/conversationKey`. Its client stays yours: `close()` leaves it alone. */
  readonly container?: Container | undefined;
  /** A client of yours; `close()` leaves it alone. */
  readonly client?: CosmosClient | undefined;
  /**
   * `https://ACCOUNT.documents.azure.com`. A client is made for it at the first use, and disposed of by `close()`.
   */
  readonly endpoint?: string | undefined;
  /** With `endpoint`: a key of the account. Default: `credential`. */
  readonly key?: string | undefined;
  /** With `endpoint`: an identity of Azure. Default without a `key`: a `DefaultAzureCredential` of `@azure/identity`, if that is installed. */
  readonly credential?: CosmosClientOptions['aadCredentials'];
  /** With `client` or `endpoint`. Default `'VernalChatMemory'`. */
  readonly databaseName?: string | undefined;
  /** With `client` or `endpoint`. Default `'ChatMemory'`. */
  readonly containerName?: string | undefined;
  /**
   * `'always'`: the database and the container are made when they are missing, for which a key is needed; a data plane role may not. Default
   * `'embedded'`, which is never, for this is a server: the container has to be there, and to be partitioned as it must.
   */
  readonly initializeSchema?: InitializeMemorySchema | undefined;
  /** Of a container that is made: request units a second, fixed. Default what the database or the account has. */
  readonly throughput?: number | undefined;
  /** In place of `throughput`: the most request units a second of a container that scales by itself. */
  readonly maxThroughput?: number | undefined;
  /** Milliseconds after its last append until a conversation is gone, up to whole seconds; at least 1,000. Default: it stays. */
  readonly ttlMs?: number | undefined;
  /** How many ids `findConversationIds` reads at once. Default 1,000. */
  readonly pageSize?: number | undefined;
}
