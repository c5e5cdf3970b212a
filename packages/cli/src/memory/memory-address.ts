import { isAbsolute, join } from 'node:path';
import { usageError } from '../usage-error.js';

/** The packages that keep conversations, by the schemes of the addresses that they take. */
const PACKAGES = {
  jdbc: ['sqlite:', 'file:', 'postgres:', 'postgresql:', 'mysql:', 'mariadb:', 'sqlserver:', 'mssql:', 'oracle:'],
  redis: ['redis:', 'rediss:'],
  mongo: ['mongodb:', 'mongodb+srv:'],
  neo4j: ['neo4j:', 'neo4j+s:', 'neo4j+ssc:', 'bolt:', 'bolt+s:', 'bolt+ssc:'],
  cassandra: ['cassandra:'],
} as const;

export type MemoryPackage = keyof typeof PACKAGES;

/** Where a conversation is kept, and by which package. */
export interface MemoryAddress {
  readonly keeper: MemoryPackage;
  /** As the package takes it. */
  readonly url: string;
}

/** Reads what was given as `--memory`: an address, or the path of a SQLite file. It may hold a password and is never shown. */
export function memoryAddress(given: string, cwd: string): MemoryAddress {
  const scheme = /^[a-z][a-z+]+:/i.exec(given)?.[0].toLowerCase();
  if (scheme === undefined) return { keeper: 'jdbc', url: sqliteUrl(given, cwd) };
  if (scheme === 'sqlite:')
    return { keeper: 'jdbc', url: sqliteUrl(given.slice(scheme.length).replace(/^\/\/(?=\/)/, ''), cwd) };
  for (const [keeper, schemes] of Object.entries(PACKAGES))
    if ((schemes as readonly string[]).includes(scheme)) return { keeper: keeper as MemoryPackage, url: given };
  throw usageError(
    `--memory knows no address that begins with '${scheme}', it takes ${Object.values(PACKAGES).flat().join(' ')} or a file`,
    'memory',
  );
}

function sqliteUrl(path: string, cwd: string): string {
  if (path === ':memory:') return `sqlite:${path}`;
  const whole = isAbsolute(path) ? path : join(cwd, path);
  return `sqlite:${whole.split('/').map(encodeURIComponent).join('/')}`;
}
