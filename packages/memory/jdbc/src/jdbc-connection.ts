import { type CallContext, invalidArgument, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { createsSchema, requireOptionNames, writeOutcome } from '@vernal/core/adapter';
import { type SqlDatabase, type SqlResult, type SqlStatement, sqlDatabase } from '@vernal/sql';
import { dialectOf } from './dialects/dialect-of.js';
import type { JdbcChatMemoryRepositoryOptions } from './jdbc-chat-memory-repository-options.js';
import type { JdbcDialect } from './jdbc-dialect.js';
import { checkScript, initialiseSchema } from './jdbc-schema.js';
import { type JdbcTables, jdbcTables } from './jdbc-tables.js';

/** The database of a repository with its tables, as soon as they are known. */
export interface JdbcSession {
  readonly database: SqlDatabase;
  readonly dialect: JdbcDialect;
  readonly tables: JdbcTables;
}

interface Opened {
  readonly database: SqlDatabase;
  close?(): Promise<void>;
}

/** Opens the database at the first use, sees to its tables once, and runs statements until it is closed. */
export class JdbcConnection {
  readonly #options: JdbcChatMemoryRepositoryOptions;
  readonly #client: SqlDatabase | undefined;
  #opened: Promise<Opened> | undefined;
  #session: Promise<JdbcSession> | undefined;
  #isClosed = false;

  constructor(options: JdbcChatMemoryRepositoryOptions) {
    requireOptionNames(options, [
      'client',
      'url',
      'dialect',
      'tablePrefix',
      'schema',
      'initializeSchema',
      'schemaScript',
      'pageSize',
    ]);
    const { client, url, initializeSchema, schemaScript } = options;
    if ((client === undefined) === (url === undefined))
      throw invalidArgument('client', 'pass the client of your driver, or the url of the database, and not both');
    if (url !== undefined && typeof url !== 'string') throw invalidArgument('url', 'must be text');
    createsSchema(initializeSchema, false);
    checkScript(schemaScript);
    this.#options = options;
    this.#client = client === undefined ? undefined : sqlDatabase(client);
    if (this.#client !== undefined) jdbcTables(this.#client.dialect, options);
  }

  /** Throws `invalid_state` once it is closed, and what the first use throws; the next use tries again. */
  async session(context: CallContext): Promise<JdbcSession> {
    this.#checkOpen();
    throwIfAborted(context.signal);
    const session = this.#session ?? this.#start();
    this.#session = session;
    session.catch(() => {
      if (this.#session === session) this.#session = undefined;
    });
    // The first use is for all: an abort of one ends its wait and no more.
    return untilAborted(session, context.signal);
  }

  async run(
    statements: readonly SqlStatement[],
    errorCode: 'store_read' | 'store_write',
    context: CallContext,
  ): Promise<readonly SqlResult[]> {
    const { database } = await this.session(context);
    this.#checkOpen();
    try {
      return await database.run(statements, { signal: context.signal, errorCode });
    } catch (error) {
      if (!VernalError.is(error) || errorCode !== 'store_write' || error.details['outcome'] !== 'unknown') throw error;
      const { code, retryable, details } = error;
      throw new VernalError(`${error.message}${writeOutcome(true).sentence}`, { code, retryable, details });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    this.#opened = undefined;
    // What could not be opened is not there to be closed.
    const database = await opened?.catch(() => undefined);
    await database?.close?.();
  }

  async #start(): Promise<JdbcSession> {
    const { database } = await this.#open();
    const { dialect = dialectOf(database), initializeSchema, schemaScript: script } = this.#options;
    const tables = jdbcTables(database.dialect, this.#options);
    await initialiseSchema({ database, dialect, tables, script }, createsSchema(initializeSchema, database.isEmbedded));
    return { database, dialect, tables };
  }

  #open(): Promise<Opened> {
    const opened = this.#opened ?? this.#openOnce();
    this.#opened = opened;
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  async #openOnce(): Promise<Opened> {
    if (this.#client !== undefined) return { database: this.#client };
    const { openSqlDatabase } = await import('@vernal/sql/open');
    try {
      return await openSqlDatabase(this.#options.url ?? '');
    } catch (error) {
      if (!VernalError.is(error) || error.code !== 'database') throw error;
      const { retryable, details } = error;
      throw new VernalError(error.message, { code: 'store_read', subject: 'url', retryable, details });
    }
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new VernalError('The repository is closed; make a new one', { code: 'invalid_state', subject: 'repository' });
  }
}
