export type { OpenSqlDatabaseOptions } from './open/open-options.js';
export { openSqlDatabase } from './open/open-sql-database.js';
export type { OpenedSqlDatabase } from './open/opened-database.js';
