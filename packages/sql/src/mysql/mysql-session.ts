import type { MysqlPoolConnection } from './mysql-pool.js';
import { mysqlRows } from './mysql-statement.js';

/** What a session was found to be. */
export interface MysqlSession {
  /** The `sql_mode` of one that is not strict by itself. */
  readonly lax: string | undefined;
  /** False for one that opens a transaction with every statement. */
  readonly autocommits: boolean;
}

/** By connection, for a pool gives each of them many times. */
export type MysqlSessions = WeakMap<object, MysqlSession>;

/** A connection whose character set cannot carry every text. */
export class MysqlCharacterSetError extends Error {
  readonly characterSet: string;

  constructor(characterSet: string) {
    super('The connection cannot carry every text');
    this.characterSet = characterSet;
  }
}

const STRICT = 'STRICT_TRANS_TABLES';
const SESSION =
  'SELECT @@SESSION.autocommit AS commits, @@SESSION.sql_mode AS mode, @@SESSION.character_set_client AS client, @@SESSION.character_set_connection AS sent, @@SESSION.character_set_results AS received';

/**
 * Has the server refuse what a column cannot hold, where it would store '????' or a part: a session that is `lax` is strict from here on.
 *
 * @throws MysqlCharacterSetError
 */
export async function strictSession(connection: MysqlPoolConnection, sessions: MysqlSessions): Promise<MysqlSession> {
  const key = Object(Reflect.get(connection, 'connection') ?? connection) as object;
  const session = sessions.get(key) ?? (await sessionOf(connection));
  sessions.set(key, session);
  const { lax } = session;
  if (lax !== undefined) await setMode(connection, lax === '' ? STRICT : `${lax},${STRICT}`);
  return session;
}

/** `mode` as `strictSession` gave it. */
export async function setMode(connection: MysqlPoolConnection, mode: string): Promise<void> {
  await mysqlRows(connection, 'SET SESSION sql_mode = ?', [mode]);
}

async function sessionOf(connection: MysqlPoolConnection): Promise<MysqlSession> {
  const { rows } = await mysqlRows(connection, SESSION, []);
  const { commits, mode, client, sent, received } = rows[0] as Record<
    'mode' | 'client' | 'sent' | 'received',
    string | null
  > & { readonly commits: unknown };
  // Without a set for results, columns come as they are.
  const wrong = [client, sent, received ?? 'utf8mb4'].find((set) => set !== 'utf8mb4');
  if (wrong !== undefined) throw new MysqlCharacterSetError(String(wrong));
  const isStrict = /\bSTRICT_(?:TRANS|ALL)_TABLES\b/.test(mode ?? '');
  return { lax: isStrict ? undefined : (mode ?? ''), autocommits: Number(commits) === 1 };
}
