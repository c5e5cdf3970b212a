import { MongoChatMemoryRepository, type MongoChatMemoryRepositoryOptions } from '@vernal/memory-mongo';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';

const found = engine('mongo');
const run = `${process.pid.toString(36)}_${Date.now().toString(36)}`;
let made = 0;

/** A name that no other test has. */
export function uniqueName(): string {
  return `m${run}_${++made}`;
}

/** What the tests of one file need; clients are closed, and the database of the file dropped, when it is through. */
export interface MongoServer {
  readonly client: MongoClient;
  readonly db: Db;
  readonly url: string;
  /** Of the server: false where it has no TTL indexes. */
  hasTtlIndexes(): Promise<boolean>;
  connect(url?: string, options?: MongoClientOptions): MongoClient;
  /** With a collection of its own. */
  repository(options?: Partial<MongoChatMemoryRepositoryOptions>): MongoChatMemoryRepository;
}

export function describeOnServer(name: string, define: (server: MongoServer) => void): void {
  if ('reason' in found) {
    vitest.it.skip(`${name}: ${found.reason}`);
    return;
  }
  const { url } = found;
  vitest.describe(name, () => {
    const clients: MongoClient[] = [];
    const connect: MongoServer['connect'] = (other = url, options = {}) => {
      const client = new MongoClient(other, options);
      clients.push(client);
      return client;
    };
    const client = connect();
    const db = client.db(uniqueName());
    vitest.afterAll(async () => {
      await db.dropDatabase();
      for (const one of clients) await one.close();
    });
    define({
      client,
      db,
      url,
      connect,
      async hasTtlIndexes() {
        const made = db.collection(uniqueName()).createIndex({ at: 1 }, { expireAfterSeconds: 0 });
        return made.then(
          () => true,
          ({ codeName }) => codeName !== 'NotImplemented',
        );
      },
      repository(options = {}) {
        const isElsewhere = options.url !== undefined || options.collection !== undefined;
        const own = isElsewhere ? {} : { client, databaseName: db.databaseName, collectionName: uniqueName() };
        return new MongoChatMemoryRepository({ ...own, ...options });
      },
    });
  });
}
