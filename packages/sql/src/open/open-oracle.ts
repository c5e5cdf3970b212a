import { invalidArgument } from '@vernal/core';
import { oracleDatabase, oracleError } from '@vernal/sql';
import { driver } from './driver.js';
import type { OpenSettings } from './open-options.js';
import { type OpenedSqlDatabase, openedDatabase } from './opened-database.js';
import { serverUrl } from './server-url.js';

export async function openOracle(url: string, { poolSize }: OpenSettings): Promise<OpenedSqlDatabase> {
  const { host, port = 1521, user, password, name } = serverUrl(url, []);
  if (name === undefined) throw invalidArgument('url', 'must name the service of the database after the host');
  const { default: oracledb } = await driver('oracledb', () => import('oracledb'));
  try {
    const pool = await oracledb.createPool({
      ...(user === undefined ? undefined : { user }),
      ...(password === undefined ? undefined : { password }),
      connectString: `${host.includes(':') ? `[${host}]` : host}:${port}/${name}`,
      poolMin: 0,
      poolMax: poolSize,
    });
    return openedDatabase(oracleDatabase(pool), () => pool.close(0));
  } catch (error) {
    throw oracleError(error);
  }
}
