import type { InitializeMemorySchema } from '@vernal/core/adapter';
import type { SqlClient } from '@vernal/sql';
import type { JdbcDialect } from './jdbc-dialect.js';
import type { JdbcTableNames } from './jdbc-tables.js';

/** One of `client` and `url` is needed. */
export interface JdbcChatMemoryRepositoryOptions extends JdbcTableNames {
  /**
   * The driver's pool or connection, or a `SqlDatabase` of `@vernal/sql`. It stays yours: `close()` leaves it open.
   */
  readonly client?: SqlClient | undefined;
  /**
   * Where the database is: `postgres://…`, `mysql://…`, `mariadb://…`, `sqlserver://…`, `oracle://…`, `sqlite:FILE`, `sqlite::memory:`. The
   * driver is imported at the first use, and what it opened is closed by `close()`.
   */
  readonly url?: string | undefined;
  /** Default the one of the client. */
  readonly dialect?: JdbcDialect | undefined;
  /** Default `'embedded'`: the tables are made in SQLite and PGlite, and are to be there in servers. */
  readonly initializeSchema?: InitializeMemorySchema | undefined;
  /** Statements that make the tables, in the place of those of the dialect; see `jdbcSchema`, which gives these. */
  readonly schemaScript?: readonly string[] | undefined;
  /** How many ids `findConversationIds` reads at once. Default 1,000. */
  readonly pageSize?: number | undefined;
}
