import type { Container, CosmosClient } from '@azure/cosmos';
import { throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { initialiseContainer } from './container-schema.js';
import type { CosmosDbChatMemoryRepositoryOptions } from './cosmos-db-chat-memory-repository-options.js';
import { cosmosErrorFrom } from './cosmos-error.js';
import { type MemorySettings, memorySettings } from './memory-settings.js';

/** Makes the client at the first use, sees to the container once, and gives it until it is closed. */
export class CosmosConnection {
  readonly settings: MemorySettings;
  readonly #options: CosmosDbChatMemoryRepositoryOptions;
  #own: Promise<CosmosClient> | undefined;
  #container: Promise<Container> | undefined;
  #isClosed = false;

  /** Throws `invalid_argument` for options that cannot be. */
  constructor(options: CosmosDbChatMemoryRepositoryOptions) {
    this.settings = memorySettings(options);
    this.#options = options;
  }

  /** Throws `invalid_state` once it is closed, and what the first use throws; the next use tries again. */
  async container(errorCode: 'store_read' | 'store_write', signal: AbortSignal | undefined): Promise<Container> {
    this.#checkOpen();
    throwIfAborted(signal);
    // Not with the signal of one caller: others wait for the same.
    this.#container ??= this.#start();
    const started = this.#container;
    try {
      const container = await untilAborted(started, signal);
      this.#checkOpen();
      return container;
    } catch (error) {
      throw cosmosErrorFrom(error, errorCode, signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const own = this.#own;
    this.#own = undefined;
    // What could not be made is not there to be disposed of.
    (await own?.catch(() => undefined))?.dispose();
  }

  #start(): Promise<Container> {
    const started = this.#initialised();
    started.catch(() => {
      if (this.#container === started) this.#container = undefined;
    });
    return started;
  }

  async #initialised(): Promise<Container> {
    const { databaseName, containerName } = this.settings;
    const { container = (await this.#client()).database(databaseName).container(containerName) } = this.#options;
    await initialiseContainer(container, this.settings);
    return container;
  }

  #client(): Promise<CosmosClient> {
    const { client } = this.#options;
    if (client !== undefined) return Promise.resolve(client);
    this.#checkOpen();
    this.#own ??= this.#made();
    const own = this.#own;
    own.catch(() => {
      if (this.#own === own) this.#own = undefined;
    });
    return own;
  }

  async #made(): Promise<CosmosClient> {
    const { endpoint = '', key, credential } = this.#options;
    const { CosmosClient } = await imported<typeof import('@azure/cosmos')>('@azure/cosmos', 'endpoint');
    if (key !== undefined) return new CosmosClient({ endpoint, key });
    return new CosmosClient({ endpoint, aadCredentials: credential ?? (await defaultCredential()) });
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new VernalError('The repository is closed; make a new one', { code: 'invalid_state', subject: 'repository' });
  }
}

async function defaultCredential(): Promise<NonNullable<CosmosDbChatMemoryRepositoryOptions['credential']>> {
  const { DefaultAzureCredential } = await imported<typeof import('@azure/identity')>('@azure/identity', 'credential');
  return new DefaultAzureCredential();
}

/** Not named in an import of its own, so that bundles of those who need it not do not ask for it. */
async function imported<T>(name: string, subject: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (cause) {
    throw new VernalError(`The package ${name} is needed here: install it`, { code: 'invalid_state', subject, cause });
  }
}
