import { abortError, invalidArgument, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import type { Collection, MongoClient } from 'mongodb';
import type { MemoryDocument } from './memory-document.js';
import { createIndexes } from './memory-indexes.js';
import type { MemorySettings } from './memory-settings.js';
import type { MongoChatMemoryRepositoryOptions } from './mongo-chat-memory-repository-options.js';
import { mongoError } from './mongo-error.js';

type Memory = Collection<MemoryDocument>;

/** The collection that was given, or one of a client that is opened at the first use; its indexes are seen to once. */
export class MongoConnection {
  readonly #given: MongoClient | Memory | undefined;
  readonly #url: string | undefined;
  readonly #settings: MemorySettings;
  #client: Promise<MongoClient> | undefined;
  #ready: Promise<Memory> | undefined;
  #isClosed = false;

  /** Throws `invalid_argument` unless there is exactly one of `collection`, `client` and `url`. */
  constructor({ collection, client, url }: MongoChatMemoryRepositoryOptions, settings: MemorySettings) {
    if ([collection, client, url].filter((one) => one !== undefined).length !== 1)
      throw invalidArgument(
        'client',
        'pass a client or a collection of the driver, or the url of the server, and one only',
      );
    if (collection !== undefined && typeof collection?.insertMany !== 'function')
      throw invalidArgument('collection', 'must be a Collection of mongodb');
    if (client !== undefined && typeof client?.db !== 'function')
      throw invalidArgument('client', 'must be a MongoClient of mongodb');
    if (url !== undefined && !(typeof url === 'string' && /^mongodb(?:\+srv)?:\/\//.test(url)))
      throw invalidArgument('url', "must begin with 'mongodb://' or 'mongodb+srv://'");
    this.#url = url;
    this.#settings = settings;
    // The driver's types tell collections apart by what they hold, which is ours to say.
    const given = collection as unknown as Memory | undefined;
    this.#given = given === undefined ? client : acknowledging(given);
    if (client !== undefined) collectionOf(client, settings);
  }

  /**
   * @throws VernalError `aborted`, `invalid_state` once it is closed, and what `mongoError` makes of the driver's errors. The driver cannot take
   * a write back: after an abort the server may still do it
   */
  async run<T>(
    code: 'store_read' | 'store_write',
    signal: AbortSignal | undefined,
    use: (collection: Memory) => Promise<T>,
  ): Promise<T> {
    throwIfAborted(signal);
    this.#checkOpen();
    try {
      // The first use is for all: an abort of one ends its wait and no more.
      const collection = await untilAborted(this.#started(), signal);
      return await untilAborted(use(collection), signal);
    } catch (error) {
      throw signal?.aborted ? abortError(signal) : mongoError(error, code);
    }
  }

  /** Closes what a url has opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#client;
    this.#client = undefined;
    // What could not be opened is not there to be closed.
    const client = await opened?.catch(() => undefined);
    await client?.close();
  }

  #started(): Promise<Memory> {
    const ready = this.#ready ?? this.#start();
    this.#ready = ready;
    ready.catch(() => {
      if (this.#ready === ready) this.#ready = undefined;
    });
    return ready;
  }

  async #start(): Promise<Memory> {
    const { creates, ttlMs } = this.#settings;
    const collection = await this.#collection();
    if (creates) await createIndexes(collection, ttlMs !== undefined);
    return collection;
  }

  async #collection(): Promise<Memory> {
    if (this.#given !== undefined && 'insertMany' in this.#given) return this.#given;
    const client = this.#given ?? (await this.#opened());
    this.#checkOpen();
    // A client whose first connection fails at a command stays as it is for good; only this makes a new one.
    await client.connect();
    if (this.#isClosed && client !== this.#given) await client.close();
    this.#checkOpen();
    return collectionOf(client, this.#settings);
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new VernalError('The repository is closed; make a new one', { code: 'invalid_state', subject: 'repository' });
  }

  #opened(): Promise<MongoClient> {
    const client = this.#client ?? openClient(this.#url ?? '');
    this.#client = client;
    client.catch(() => {
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }
}

function collectionOf(client: MongoClient, { databaseName, collectionName }: MemorySettings): Memory {
  return acknowledging(client.db(databaseName).collection<MemoryDocument>(collectionName));
}

/** A write that nobody confirms is none that a memory may rely on. */
function acknowledging(collection: Memory): Memory {
  if (collection.writeConcern?.w === 0)
    throw invalidArgument('client', 'has a write concern of w: 0, which confirms nothing: set it to majority');
  return collection;
}

async function openClient(url: string): Promise<MongoClient> {
  const driver = await import('mongodb').catch((error: unknown) => {
    throw new VernalError("The driver cannot be loaded: run 'npm install mongodb'", {
      code: 'invalid_state',
      subject: 'url',
      cause: error,
    });
  });
  try {
    return new driver.MongoClient(url);
  } catch {
    // Its words quote the url, and with it the password.
    throw invalidArgument('url', 'is no connection string that the driver understands');
  }
}
