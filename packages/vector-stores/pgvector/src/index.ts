export type { PgLite, PgPool, PgPoolClient, PgQueryable, PgResult } from '@vernal/sql';
export type { PgIdType } from './pg-settings.js';
export { PgVectorStore } from './pg-vector-store.js';
export type { PgVectorStoreOptions } from './pg-vector-store-options.js';
