import type { StoredLedgerEntry } from '@vernal/core';
import { VernalError } from '@vernal/core';

const FORMAT = { vernal: 'ingest-ledger', version: 1 };
/** The first line of the file. */
export const HEAD: string = `${JSON.stringify(FORMAT)}\n`;

/** A line of the file: what an entry is from then on; null: it is gone. */
export interface LedgerLine {
  readonly scope: string;
  readonly source: string;
  readonly entry: StoredLedgerEntry | null;
}

/** Entries by scope and source. */
export type LedgerScopes = Map<string, Map<string, StoredLedgerEntry>>;

/** What a file says, and how much of it. */
export interface LedgerReading {
  readonly scopes: LedgerScopes;
  /** Bytes up to the end of the last whole line: a kill may have left a piece of one behind it. */
  readonly end: number;
  /** Lines that are no longer needed. */
  readonly outdated: number;
}

export function apply(scopes: LedgerScopes, { scope, source, entry }: LedgerLine): void {
  const entries = scopes.get(scope) ?? new Map<string, StoredLedgerEntry>();
  scopes.set(scope, entries);
  if (entry === null) entries.delete(source);
  else entries.set(source, entry);
}

export function lineOf(line: LedgerLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** @throws VernalError `ledger_read` for a file that is no ledger, of a later version, or damaged before its last line */
export function readLedgerLog(path: string, bytes: Buffer): LedgerReading {
  const end = bytes.lastIndexOf(0x0a) + 1;
  // A file that was made and never got its first line holds nothing yet.
  if (end === 0 && HEAD.startsWith(bytes.toString('utf8'))) return { scopes: new Map(), end: 0, outdated: 0 };
  const [head = '', ...lines] = bytes.toString('utf8', 0, end).split('\n');
  checkHead(path, head);
  const scopes: LedgerScopes = new Map();
  const used = lines.slice(0, -1);
  for (const [at, text] of used.entries()) apply(scopes, parsed(path, text, at + 2));
  const live = [...scopes.values()].reduce((sum, entries) => sum + entries.size, 0);
  return { scopes, end, outdated: used.length - live };
}

function checkHead(path: string, head: string): void {
  let value: unknown;
  try {
    value = JSON.parse(head);
  } catch {
    value = undefined;
  }
  const { vernal, version } = (typeof value === 'object' && value !== null ? value : {}) as Partial<typeof FORMAT>;
  if (vernal !== FORMAT.vernal) throw unreadable(path, 'it is no ledger: name another file');
  if (version !== FORMAT.version) throw unreadable(path, `it is of version ${String(version)}: use a newer release`);
}

function parsed(path: string, text: string, line: number): LedgerLine {
  try {
    return JSON.parse(text) as LedgerLine;
  } catch {
    throw unreadable(path, `line ${line} is damaged: ingest anew into an empty store, with a new ledger`);
  }
}

function unreadable(path: string, why: string): VernalError {
  return new VernalError(`${path} cannot be read: ${why}`, { code: 'ledger_read', subject: path });
}
