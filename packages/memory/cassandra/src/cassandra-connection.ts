import { abortError, sleep, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { cassandraError, isUnreachable } from './cassandra-error.js';
import type {
  CassandraMemoryClient,
  CassandraMemoryQueryOptions,
  CassandraMemoryResult,
  CassandraMemoryStatement,
} from './cassandra-memory-client.js';
import { initialiseSchema } from './cassandra-schema.js';
import type { CassandraEndpoint } from './cassandra-source.js';
import type { MemorySettings } from './memory-settings.js';
import { NEVER_AGAIN } from './never-again.js';

/** A client that this package has opened, and closes. */
interface OwnClient extends CassandraMemoryClient {
  shutdown(): Promise<void>;
}

/** What a statement is run for, and how. */
export interface StatementContext {
  readonly code: 'store_read' | 'store_write';
  readonly signal?: AbortSignal | undefined;
  readonly fetchSize?: number | undefined;
  readonly pageState?: string | undefined;
  /** Waits for writes under way that are not decided yet. */
  readonly isSerial?: boolean | undefined;
}

interface RunContext extends StatementContext {
  readonly isConditional?: boolean | undefined;
}

/** No host up: as often as this it is tried again, milliseconds apart, before callers hear of it. */
const TRIES = 5;
const RETRY_MS = 200;

/** The client that was given, or one that is opened at the first use; sees to the tables once; every wait for it ends. */
export class CassandraConnection {
  readonly #settings: MemorySettings;
  #opened: Promise<OwnClient> | undefined;
  #ready: Promise<CassandraMemoryClient> | undefined;
  #isClosed = false;

  constructor(settings: MemorySettings) {
    this.#settings = settings;
  }

  /** A statement that may be sent twice. */
  execute(statement: CassandraMemoryStatement, context: StatementContext): Promise<CassandraMemoryResult> {
    const options = { ...this.#options(context), isIdempotent: true };
    return this.#run(context, (client) => client.execute(statement.query, statement.params, options));
  }

  /** Statements on one partition that land together, and may be sent twice. */
  batch(statements: CassandraMemoryStatement[], context: StatementContext): Promise<CassandraMemoryResult> {
    const options = { ...this.#options(context), isIdempotent: true, logged: false };
    return this.#run(context, (client) => client.batch(statements, options));
  }

  /** Statements on one partition that land together if the condition of the first holds. The driver must not send them twice. */
  conditionalBatch(statements: CassandraMemoryStatement[], context: StatementContext): Promise<CassandraMemoryResult> {
    const options = { ...this.#options(context), isIdempotent: false, logged: false, retry: NEVER_AGAIN };
    return this.#run({ ...context, isConditional: true }, (client) => client.batch(statements, options));
  }

  /** Ends what was opened here; a client that was given stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    this.#opened = undefined;
    // What could not be opened is not there to be closed.
    const client = await opened?.catch(() => undefined);
    await client?.shutdown();
  }

  #options({ isSerial, fetchSize, pageState }: StatementContext): Omit<CassandraMemoryQueryOptions, 'isIdempotent'> {
    const { consistency, serialConsistency } = this.#settings;
    return {
      prepare: true,
      consistency: isSerial ? serialConsistency : consistency,
      serialConsistency,
      ...(fetchSize === undefined ? {} : { fetchSize }),
      ...(pageState === undefined ? {} : { pageState }),
    };
  }

  /**
   * The driver cannot take a statement back: after an abort the server may still run it.
   *
   * @throws VernalError `aborted`, `invalid_state` once it is closed, and what `cassandraError` makes of the driver's errors
   */
  async #run<T>(
    { code, signal, isConditional }: RunContext,
    use: (client: CassandraMemoryClient) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      this.#checkOpen();
      throwIfAborted(signal);
      try {
        return await untilAborted(this.#prepared().then(use), signal);
      } catch (error) {
        if (signal?.aborted) throw abortError(signal);
        if (this.#isClosed || !isUnreachable(error) || attempt === TRIES)
          throw cassandraError(error, code, isConditional);
      }
      await sleep(RETRY_MS, signal);
    }
  }

  /** Forgets a failure, so that the next use tries again. */
  #prepared(): Promise<CassandraMemoryClient> {
    const ready = this.#ready ?? this.#prepare();
    this.#ready = ready;
    ready.catch(() => {
      if (this.#ready === ready) this.#ready = undefined;
    });
    return ready;
  }

  async #prepare(): Promise<CassandraMemoryClient> {
    const { source, creates, names, replication } = this.#settings;
    const client = 'client' in source ? source.client : await this.#open(source);
    if (creates) {
      const options = { ...this.#options({ code: 'store_read' }), isIdempotent: true };
      await initialiseSchema(client, names, replication, options);
    }
    return client;
  }

  #open(endpoint: CassandraEndpoint): Promise<OwnClient> {
    const opened = this.#opened ?? connected(endpoint);
    this.#opened = opened;
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new VernalError('The repository is closed; make a new one', { code: 'invalid_state', subject: 'repository' });
  }
}

async function connected(endpoint: CassandraEndpoint): Promise<OwnClient> {
  const driver = await import('cassandra-driver').catch((error: unknown) => {
    throw new VernalError(
      "cassandra-driver, an optional peer of @vernal/memory-cassandra, cannot be loaded: run 'npm install cassandra-driver'",
      { code: 'invalid_state', subject: 'url', cause: error },
    );
  });
  const { contactPoints, localDataCenter, credentials, ssl } = endpoint;
  const client = new driver.Client({
    contactPoints: [...contactPoints],
    localDataCenter,
    ...(credentials === undefined ? {} : { credentials }),
    ...(ssl ? { sslOptions: {} } : {}),
    // Its default waits longer and longer, up to ten minutes, for a host that is up again.
    policies: { reconnection: new driver.policies.reconnection.ConstantReconnectionPolicy(RETRY_MS) },
  });
  try {
    await client.connect();
  } catch (error) {
    await client.shutdown();
    throw error;
  }
  return client;
}
