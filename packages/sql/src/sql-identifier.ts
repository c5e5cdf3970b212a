import { invalidArgument } from '@vernal/core';
import type { SqlDialect } from './sql-database.js';

interface NameRule {
  readonly engine: string;
  readonly quotes: readonly [open: string, close: string];
  readonly longest?: { readonly count: number; readonly unit: 'bytes' | 'characters' };
}

const RULES: Readonly<Record<SqlDialect, NameRule>> = {
  // PostgreSQL cuts longer names in silence, and two names could become one.
  postgres: { engine: 'PostgreSQL', quotes: ['"', '"'], longest: { count: 63, unit: 'bytes' } },
  sqlite: { engine: 'SQLite', quotes: ['"', '"'] },
  mysql: { engine: 'MySQL', quotes: ['`', '`'], longest: { count: 64, unit: 'characters' } },
  sqlserver: { engine: 'SQL Server', quotes: ['[', ']'], longest: { count: 128, unit: 'characters' } },
  oracle: { engine: 'Oracle', quotes: ['"', '"'], longest: { count: 128, unit: 'bytes' } },
};

/**
 * A name as SQL takes it, in the quotes of the dialect.
 *
 * @throws VernalError `invalid_argument` for a name that the engine cannot keep
 */
export function sqlIdentifier(dialect: SqlDialect, name: string, subject: string): string {
  const { engine, quotes, longest } = RULES[dialect];
  if (typeof name !== 'string' || name === '' || /\0|\p{Surrogate}/u.test(name))
    throw invalidArgument(subject, 'must be a name without U+0000 and without half a surrogate pair');
  const length = longest?.unit === 'bytes' ? new TextEncoder().encode(name).length : name.length;
  if (longest !== undefined && length > longest.count)
    throw invalidArgument(subject, `must be at most ${longest.count} ${longest.unit} long, as ${engine} has it`);
  const fault = faultOf(dialect, name);
  if (fault !== undefined) throw invalidArgument(subject, fault);
  const [open, close] = quotes;
  return `${open}${name.replaceAll(close, close + close)}${close}`;
}

function faultOf(dialect: SqlDialect, name: string): string | undefined {
  if (dialect === 'sqlite' && /^sqlite_/i.test(name)) return "must not begin with 'sqlite_', which SQLite keeps";
  if (dialect === 'oracle' && name.includes('"')) return 'must not hold double quotes, which Oracle does not take';
  if (dialect === 'mysql' && (/ $/.test(name) || /[^\0-\uffff]/u.test(name)))
    return 'must not end with a space or hold characters beyond U+FFFF, which MySQL does not take';
  return undefined;
}
