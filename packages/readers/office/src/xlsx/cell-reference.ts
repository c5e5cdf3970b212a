/** Columns and rows that a sheet can have. */
export const MOST_COLUMNS = 16_384;
export const MOST_ROWS = 1_048_576;

/** Place of a cell such as 'B5': column from 0, row from 1. */
export interface CellPlace {
  readonly column: number;
  readonly row: number;
}

/** Undefined for what is no cell of a sheet. */
export function cellPlace(reference: string): CellPlace | undefined {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) | 32;
    if (letter < 97 || letter > 122) break;
    column = column * 26 + letter - 96;
    if (column > MOST_COLUMNS) return undefined;
  }
  const row = Number(reference.slice(at));
  return at === 0 || !Number.isSafeInteger(row) || row < 1 || row > MOST_ROWS ? undefined : { column: column - 1, row };
}
