import { PgVectorStore, type PgVectorStoreOptions } from '@vernal/vector-store-pgvector';
import type { Pool } from 'pg';
import { numbersModel } from './numbers-model.js';

let count = 0;

/** A schema of its own for a test, gone at its end. */
export class Scratch implements AsyncDisposable {
  readonly schema = `scratch_${process.pid}_${++count}`;
  readonly pool: Pool;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  store(options: Partial<PgVectorStoreOptions> = {}): PgVectorStore {
    return new PgVectorStore({
      pool: this.pool,
      embeddingModel: numbersModel(),
      schema: this.schema,
      initializeSchema: 'create',
      ...options,
    });
  }

  /** Statements say PLACE for the schema. */
  async make(...statements: readonly string[]): Promise<void> {
    await this.pool.query('CREATE EXTENSION IF NOT EXISTS vector');
    await this.pool.query(`CREATE SCHEMA ${this.schema}`);
    for (const statement of statements) await this.pool.query(statement.replaceAll('PLACE', this.schema));
  }

  async rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.pool.query(text.replaceAll('PLACE', this.schema), values)).rows as T[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.query(`DROP SCHEMA IF EXISTS ${this.schema} CASCADE`);
  }
}

/** The typed error of a promise that must reject. */
export async function failure(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return Object(error);
  }
  throw new Error('did not reject');
}
