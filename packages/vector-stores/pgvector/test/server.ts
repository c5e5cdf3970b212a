import { Pool } from 'pg';
import { engine } from '../../../../scripts/services/engine.mjs';

/** A pool on the server that runs here, or the reason why there is none. The caller ends it. */
export function serverPool(
  max: number,
  more: Partial<{ database: string; options: string; user: string; connectionTimeoutMillis: number }> = {},
): { readonly pool: Pool; readonly reason?: undefined } | { readonly pool?: undefined; readonly reason: string } {
  const found = engine('postgres');
  if ('reason' in found) return { reason: found.reason };
  const { database, user, ...rest } = more;
  const url = new URL(found.url);
  if (database !== undefined) url.pathname = `/${database}`;
  if (user !== undefined) url.username = user;
  return { pool: new Pool({ connectionString: url.href, max, ...rest }) };
}
