import { mysqlDatabase } from '@vernal/sql';
import { driver } from './driver.js';
import type { OpenSettings } from './open-options.js';
import { type OpenedSqlDatabase, openedDatabase } from './opened-database.js';
import { flag, serverUrl } from './server-url.js';

export async function openMysql(url: string, { poolSize }: OpenSettings): Promise<OpenedSqlDatabase> {
  const place = serverUrl(url, ['ssl']);
  const { host, port = 3306, user, password, name } = place;
  const { default: mysql } = await driver('mysql2', () => import('mysql2/promise'));
  const pool = mysql.createPool({
    host,
    port,
    ...(user === undefined ? undefined : { user }),
    ...(password === undefined ? undefined : { password }),
    ...(name === undefined ? undefined : { database: name }),
    ...(flag(place, 'ssl') ? { ssl: {} } : undefined),
    charset: 'utf8mb4',
    connectionLimit: poolSize,
  });
  return openedDatabase(mysqlDatabase(pool), () => pool.end());
}
