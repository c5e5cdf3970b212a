import { invalidArgument } from '@vernal/core';
import type { ConnectionOptions } from 'bullmq';

/** Where the queue is. */
export interface QueuePlace {
  /** Of the queue, the same for its workers. No colon. */
  readonly name: string;
  /** A client of `ioredis`, which is never closed, or its options: `{ url }`, `{ host, port }`. */
  readonly connection: ConnectionOptions;
  /** Of all keys. Default `'bull'`, as BullMQ has it. */
  readonly prefix?: string | undefined;
}

/** @throws VernalError `invalid_argument` */
export function checkedPlace({ name, connection, prefix }: QueuePlace): {
  connection: ConnectionOptions;
  prefix?: string;
} {
  if (typeof name !== 'string' || name === '' || name.includes(':'))
    throw invalidArgument('name', 'must be a name without a colon, which BullMQ parts its keys with');
  if (typeof connection !== 'object' || connection === null)
    throw invalidArgument('connection', 'pass a client of ioredis, or options such as { url }');
  return prefix === undefined ? { connection } : { connection, prefix };
}
