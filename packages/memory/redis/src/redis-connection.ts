import { abortError, invalidArgument, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import type { RedisChatMemoryRepositoryOptions } from './redis-chat-memory-repository-options.js';
import { redisError, timeoutError } from './redis-error.js';
import type { RedisMemoryClient } from './redis-memory-client.js';

/** A client that this package has opened, and closes. */
interface OwnClient extends RedisMemoryClient {
  readonly status: string;
  quit(): Promise<unknown>;
  disconnect(): void;
}

/** The driver goes on connecting as often as this, milliseconds; after so many tries, in a second, callers hear that the server is away. */
const RETRY_MS = 200;
const RETRIES = 5;

/** The client that was given, or one that is opened at the first use; every wait for it ends. */
export class RedisConnection {
  readonly #given: RedisMemoryClient | undefined;
  readonly #url: string | undefined;
  readonly #timeoutMs: number;
  #opened: Promise<OwnClient> | undefined;
  #isClosed = false;

  /** Throws `invalid_argument` without a client or url, and for a client with a `keyPrefix`. */
  constructor({ client, url }: RedisChatMemoryRepositoryOptions, timeoutMs: number) {
    if ((client === undefined) === (url === undefined))
      throw invalidArgument('client', 'pass a Redis or Cluster of ioredis, or the url of the server, and not both');
    if (client !== undefined) checkClient(client);
    if (url !== undefined) checkUrl(url);
    this.#given = client;
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Waits for what is done with the client, at most `timeoutMs`. The driver cannot take a command back: after an abort or a timeout the server
   * may still run it.
   *
   * @throws VernalError `aborted`, `timeout`, `invalid_state` once it is closed, and what `redisError` makes of the driver's errors
   */
  async run<T>(
    code: 'store_read' | 'store_write',
    signal: AbortSignal | undefined,
    use: (client: RedisMemoryClient) => Promise<T>,
  ): Promise<T> {
    throwIfAborted(signal);
    if (this.#isClosed)
      throw new VernalError('The repository is closed; make a new one', {
        code: 'invalid_state',
        subject: 'repository',
      });
    const work = this.#given === undefined ? this.#open().then(use) : use(this.#given);
    try {
      return await this.#within(code, untilAborted(work, signal));
    } catch (error) {
      throw signal?.aborted ? abortError(signal) : redisError(error, code);
    }
  }

  /** Ends what a url has opened, when what was sent is answered; a client that was given stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    this.#opened = undefined;
    // What could not be opened is not there to be closed.
    const client = await opened?.catch(() => undefined);
    if (client === undefined) return;
    try {
      if (client.status === 'ready') await this.#within('store_write', client.quit());
    } catch {
      // It is cut off next.
    } finally {
      client.disconnect();
    }
  }

  async #within<T>(code: 'store_read' | 'store_write', work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timeoutError(code, this.#timeoutMs)), this.#timeoutMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #open(): Promise<OwnClient> {
    const opened = this.#opened ?? connected(this.#url ?? '');
    this.#opened = opened;
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }
}

async function connected(url: string): Promise<OwnClient> {
  const { Redis } = await import('ioredis').catch((error: unknown) => {
    throw new VernalError(
      "ioredis, an optional peer of @vernal/memory-redis, cannot be loaded: run 'npm install ioredis'",
      {
        code: 'invalid_state',
        subject: 'url',
        cause: error,
      },
    );
  });
  const client = new Redis(url, { maxRetriesPerRequest: RETRIES, retryStrategy: () => RETRY_MS });
  // The driver writes errors that nobody listens to on the console; commands fail with them as well.
  client.on('error', () => {});
  return client;
}

function checkClient(client: RedisMemoryClient): void {
  if (typeof client?.call !== 'function') throw invalidArgument('client', 'must be a Redis or Cluster of ioredis');
  if (client.options?.keyPrefix)
    throw invalidArgument('client', "has a keyPrefix, which lists of keys do not know: use the repository's keyPrefix");
}

function checkUrl(url: string): void {
  const protocol = typeof url === 'string' && URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw invalidArgument('url', "must begin with 'redis://' or 'rediss://'");
}
