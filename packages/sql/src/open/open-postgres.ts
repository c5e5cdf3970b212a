import { postgresDatabase } from '@vernal/sql';
import { driver } from './driver.js';
import type { OpenSettings } from './open-options.js';
import { type OpenedSqlDatabase, openedDatabase } from './opened-database.js';
import { serverUrl } from './server-url.js';

/** The parameters are those of the driver. */
export async function openPostgres(url: string, { poolSize }: OpenSettings): Promise<OpenedSqlDatabase> {
  serverUrl(url, [...new URL(url).searchParams.keys()]);
  const { default: pg } = await driver('pg', () => import('pg'));
  const pool = new pg.Pool({ connectionString: url, max: poolSize });
  // A connection that dies in the pool would end the process; the next statement takes another.
  pool.on('error', () => {});
  return openedDatabase(postgresDatabase(pool), () => pool.end());
}
