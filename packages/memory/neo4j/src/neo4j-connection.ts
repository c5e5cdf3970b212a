import { abortError, invalidArgument, sleep, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { CallLimit } from './call-limit.js';
import type { CypherStatement } from './cypher-statement.js';
import type { MemorySettings } from './memory-settings.js';
import type { Neo4jChatMemoryRepositoryOptions } from './neo4j-chat-memory-repository-options.js';
import { neo4jError, passes, timeoutError } from './neo4j-error.js';
import type { Neo4jMemoryDriver, Neo4jMemoryRecord } from './neo4j-memory-driver.js';
import { checkUrl, type OpenedDriver, openDriver } from './opened-driver.js';

/** So often a statement is sent that the server has undone, or whose connection was lost, with pauses of up to these milliseconds between. */
const PAUSES_MS = [20, 40, 80, 160, 320];
/** The driver asks for all rows at once, not for a thousand. */
const ALL_ROWS = -1;

/** The driver that was given, or one that is opened at the first use. Each statement is a transaction and one round trip. */
export class Neo4jConnection {
  readonly #given: Neo4jMemoryDriver | undefined;
  readonly #url: string | undefined;
  readonly #database: string | undefined;
  readonly #timeoutMs: number;
  readonly #running = new Set<Promise<unknown>>();
  #opened: Promise<OpenedDriver> | undefined;
  #isClosed = false;

  /** Throws `invalid_argument` without a driver or url, or for both. */
  constructor(
    { driver, url }: Neo4jChatMemoryRepositoryOptions,
    { database, timeoutMs }: Pick<MemorySettings, 'database' | 'timeoutMs'>,
  ) {
    if ((driver === undefined) === (url === undefined))
      throw invalidArgument('driver', 'pass a driver of neo4j-driver, or the url of the server, and not both');
    if (driver !== undefined && typeof driver?.session !== 'function')
      throw invalidArgument('driver', 'must be a driver of neo4j-driver');
    if (url !== undefined) checkUrl(url);
    this.#given = driver;
    this.#url = url;
    this.#database = database;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs the statement, again when the server has undone it or the connection was lost: it has to be one that does nothing when it has been done.
   * So it is when `isAgain` says of its rows that it came too late. An abort ends it on the server, too.
   *
   * @throws VernalError `aborted`, `timeout`, `invalid_state` once it is closed, and what `neo4jError` makes of the driver's errors
   */
  async run(
    statement: CypherStatement,
    code: 'store_read' | 'store_write',
    signal: AbortSignal | undefined,
    isAgain: (rows: readonly Neo4jMemoryRecord[]) => boolean = () => false,
  ): Promise<readonly Neo4jMemoryRecord[]> {
    throwIfAborted(signal);
    this.#checkOpen();
    const running = this.#run(statement, code, signal, isAgain);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Waits for what is under way, then closes what a url has opened; a driver that was given stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    const opened = this.#opened;
    this.#opened = undefined;
    // What could not be opened is not there to be closed.
    const driver = await opened?.catch(() => undefined);
    if (driver === undefined) return;
    const limit = new CallLimit(undefined, this.#timeoutMs, () => timeoutError('store_write', this.#timeoutMs));
    try {
      await untilAborted(driver.close(), limit.signal);
    } catch {
      // The server does not answer; there is no other way to let go of it.
    } finally {
      limit.stop();
    }
  }

  async #run(
    statement: CypherStatement,
    code: 'store_read' | 'store_write',
    signal: AbortSignal | undefined,
    isAgain: (rows: readonly Neo4jMemoryRecord[]) => boolean,
  ): Promise<readonly Neo4jMemoryRecord[]> {
    const limit = new CallLimit(signal, this.#timeoutMs, () => timeoutError(code, this.#timeoutMs));
    try {
      for (let tries = 0; ; tries++) {
        const pause = PAUSES_MS[tries];
        try {
          const rows = await this.#runOnce(statement, limit.signal);
          if (pause === undefined || !isAgain(rows)) return rows;
        } catch (error) {
          if (limit.signal.aborted) throw abortError(limit.signal);
          if (pause === undefined || !passes(error)) throw neo4jError(error, code, this.#timeoutMs);
        }
        // Those who stood in each other's way should not meet again.
        await sleep(pause * (0.5 + Math.random() / 2), limit.signal);
      }
    } finally {
      limit.stop();
    }
  }

  async #runOnce({ text, parameters }: CypherStatement, signal: AbortSignal): Promise<readonly Neo4jMemoryRecord[]> {
    const driver = this.#given ?? (await untilAborted(this.#open(), signal));
    const session = driver.session({
      defaultAccessMode: 'WRITE',
      fetchSize: ALL_ROWS,
      ...(this.#database === undefined ? {} : { database: this.#database }),
      ...(driver.executeQueryBookmarkManager === undefined
        ? {}
        : { bookmarkManager: driver.executeQueryBookmarkManager }),
    });
    try {
      const answer = Promise.resolve(session.run(text, parameters, { timeout: this.#timeoutMs }));
      return (await untilAborted(answer, signal)).records;
    } finally {
      // Of a session with a statement under way it ends that, and waits for the server; nobody waits for it when the call is over.
      const closed = session.close().catch(() => {});
      if (!signal.aborted) await untilAborted(closed, signal);
    }
  }

  #open(): Promise<OpenedDriver> {
    const opened = this.#opened ?? openDriver(this.#url ?? '');
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
