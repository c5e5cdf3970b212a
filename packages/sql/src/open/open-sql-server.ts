import { sqlServerDatabase, sqlServerError } from '@vernal/sql';
import { driver } from './driver.js';
import type { OpenSettings } from './open-options.js';
import { type OpenedSqlDatabase, openedDatabase } from './opened-database.js';
import { flag, serverUrl } from './server-url.js';

export async function openSqlServer(url: string, { poolSize }: OpenSettings): Promise<OpenedSqlDatabase> {
  const place = serverUrl(url, ['encrypt', 'trustServerCertificate']);
  const { host, port = 1433, user, password, name } = place;
  const { default: mssql } = await driver('mssql', () => import('mssql'));
  const pool = new mssql.ConnectionPool({
    server: host,
    port,
    ...(user === undefined ? undefined : { user }),
    ...(password === undefined ? undefined : { password }),
    ...(name === undefined ? undefined : { database: name }),
    pool: { max: poolSize },
    options: {
      encrypt: flag(place, 'encrypt') ?? true,
      trustServerCertificate: flag(place, 'trustServerCertificate') ?? false,
    },
  });
  // Without a listener a connection that dies in the pool would end the process; the next statement takes another.
  pool.on('error', () => {});
  try {
    await pool.connect();
  } catch (error) {
    throw sqlServerError(error);
  }
  return openedDatabase(sqlServerDatabase(pool), () => pool.close());
}
