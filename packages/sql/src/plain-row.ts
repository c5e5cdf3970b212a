import type { SqlResult } from './sql-database.js';

type Row = SqlResult['rows'][number];

/** Rows as every database gives them, of drivers that have bytes in an ArrayBuffer or integers as bigints. */
export function plainRows(rows: readonly Row[]): readonly Row[] {
  return rows.some((row) => Object.values(row).some(isOdd)) ? rows.map(plainRow) : rows;
}

function plainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isOdd(value) ? plain(value) : value]));
}

function isOdd(value: unknown): value is ArrayBuffer | bigint {
  return typeof value === 'bigint' || value instanceof ArrayBuffer;
}

function plain(value: ArrayBuffer | bigint): Uint8Array | number | string {
  if (typeof value !== 'bigint') return new Uint8Array(value);
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
