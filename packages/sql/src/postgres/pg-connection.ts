import { Cancellation } from '../cancellation.js';
import { takenConnection } from '../taken-connection.js';
import type { PgLite, PgPool, PgPoolClient, PgQueryable } from './pg-pool.js';

/** How statements are run. */
export interface PgRun {
  readonly signal: AbortSignal;
  /** Undefined: no transaction, one statement. Else what follows BEGIN: statements without parameters, or ''. */
  readonly begin?: string | undefined;
}

/** The same, also where nothing can end it. */
type Run = Omit<PgRun, 'signal'> & { readonly signal: AbortSignal | undefined };

/**
 * Runs `work` on one connection of PostgreSQL, for packages that need more than `SqlDatabase.run`. An abort cancels the running statement
 * on the server, through another connection of the pool, and rolls back; a PGlite finishes its statement first, and rolls back too.
 *
 * @throws what the driver throws; `postgresError` makes it a `VernalError`
 */
export function withConnection<T>(
  pool: PgPool | PgLite,
  run: Run,
  work: (connection: PgQueryable) => Promise<T>,
): Promise<T> {
  return 'transaction' in pool ? onLite(pool, run, work) : onClient(pool, run, work);
}

async function onLite<T>(lite: PgLite, { signal, begin }: Run, work: (on: PgQueryable) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  return lite.transaction(async (transaction) => {
    signal?.throwIfAborted();
    if (begin) await transaction.query(begin);
    const result = await work(transaction);
    signal?.throwIfAborted();
    return result;
  });
}

async function onClient<T>(pool: PgPool, { signal, begin }: Run, work: (on: PgQueryable) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const client = await takenConnection(pool.connect(), signal, (late) => late.release());
  // Without a listener a connection that dies would end the process.
  client.on?.('error', ignore);
  const cancellation = new Cancellation(signal, {
    take: () => pool.connect(),
    giveBack: (other) => other.release(),
    cancel: (other) => cancel(other, Reflect.get(client, 'processID')),
  });
  let broken = false;
  try {
    signal?.throwIfAborted();
    if (begin === undefined) return await work(client);
    try {
      await client.query(`BEGIN; ${begin}`);
      const result = await work(client);
      signal?.throwIfAborted();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = !(await rolledBack(client));
      throw error;
    }
  } finally {
    const late = await cancellation.end();
    client.off?.('error', ignore);
    client.release(broken || late);
  }
}

/** `pid`: a client that has none, as only another driver's can, is left to itself. */
async function cancel(other: PgPoolClient, pid: unknown): Promise<void> {
  try {
    if (typeof pid === 'number') await other.query('SELECT pg_cancel_backend($1)', [pid]);
    other.release();
  } catch {
    other.release(true);
  }
}

/** A connection that cannot even roll back is of no use to anybody. */
async function rolledBack(client: PgPoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function ignore(): void {}
