export type { SqliteConnection as SqliteDatabase, SqliteStatement, SqliteValue } from '@vernal/sql';
export { SqliteVectorStore } from './sqlite-vector-store.js';
export type { SqliteVectorStoreOptions } from './sqlite-vector-store-options.js';
