import { invalidArgument } from '@vernal/core';
import { requireCount, requireOptionNames } from '@vernal/core/adapter';

/** All may be left out. */
export interface OpenSqlDatabaseOptions {
  /** Most connections at once; SQLite has one. Default 10. */
  readonly poolSize?: number | undefined;
  /** Milliseconds that SQLite waits for another writer, which halts the process. Default 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** The options with their defaults. */
export interface OpenSettings {
  readonly poolSize: number;
  readonly busyTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export function openSettings(options: OpenSqlDatabaseOptions): OpenSettings {
  requireOptionNames(options, ['poolSize', 'busyTimeoutMs', 'signal']);
  const { poolSize = 10, busyTimeoutMs = 5_000, signal } = options;
  requireCount(poolSize, 'poolSize');
  if (!(Number.isInteger(busyTimeoutMs) && busyTimeoutMs >= 0))
    throw invalidArgument('busyTimeoutMs', 'must be a whole number, at least 0');
  return { poolSize, busyTimeoutMs, signal };
}
