import type { CreateVectorStore } from '@vernal/testing';
import {
  type PgLite,
  type PgPool,
  type PgQueryable,
  PgVectorStore,
  type PgVectorStoreOptions,
} from '@vernal/vector-store-pgvector';

/** Tables for the stores of one suite. They are emptied and used again, for making one takes longer than most cases. */
export class SuiteTables {
  readonly #pool: (PgPool & PgQueryable) | PgLite;
  readonly #prefix: string;
  readonly #options: Partial<PgVectorStoreOptions>;
  readonly #free: string[] = [];
  readonly #tableOf = new Map<string, string>();
  #made = 0;

  constructor(pool: (PgPool & PgQueryable) | PgLite, prefix: string, options: Partial<PgVectorStoreOptions>) {
    this.#pool = pool;
    this.#prefix = prefix;
    this.#options = options;
  }

  readonly create: CreateVectorStore = async ({ embeddingModel, collection }) => {
    const used = this.#free.pop();
    if (used !== undefined) await this.#pool.query(`TRUNCATE "${used}"`);
    const table = used ?? `${this.#prefix}_${++this.#made}`;
    this.#tableOf.set(collection, table);
    const initializeSchema = used === undefined ? 'create' : 'none';
    const store = new PgVectorStore({ pool: this.#pool, embeddingModel, table, initializeSchema, ...this.#options });
    await store.initialize();
    return {
      subject: store,
      close: async () => {
        await store.close();
        this.#free.push(table);
      },
    };
  };

  readonly reopen: CreateVectorStore = ({ embeddingModel, collection }) => {
    const table = this.#tableOf.get(collection) ?? '';
    const options = { pool: this.#pool, embeddingModel, table, initializeSchema: 'create', ...this.#options } as const;
    const store = new PgVectorStore(options);
    return { subject: store, close: () => store.close() };
  };

  async drop(): Promise<void> {
    for (let i = 1; i <= this.#made; i++) await this.#pool.query(`DROP TABLE IF EXISTS "${this.#prefix}_${i}"`);
  }
}
