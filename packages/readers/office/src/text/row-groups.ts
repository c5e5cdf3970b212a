import { invalidArgument } from '@vernal/core';

/** How the rows of a sheet become texts. */
export interface RowOptions {
  /**
   * 'rows': each row a line, cells apart by tabs. 'records': each row a paragraph of lines `name: value`, so that it stands by itself;
   * empty cells are left out.
   */
  readonly layout?: 'rows' | 'records' | undefined;
  /** The first row that is not empty names the columns; it stands above the rows of each document. Default true. */
  readonly headerRow?: boolean | undefined;
  /** Rows a document, without the header. */
  readonly rowsPerDocument?: number | undefined;
}

/** A row with its number as in the sheet, from 1. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly string[];
}

export interface RowGroup {
  readonly text: string;
  readonly startRow: number;
  readonly endRow: number;
}

type Settings = Required<{ readonly [K in keyof RowOptions]: NonNullable<RowOptions[K]> }>;

/** @throws VernalError `invalid_argument` */
export function checkRowOptions({ layout, rowsPerDocument }: RowOptions): void {
  if (layout !== undefined && layout !== 'rows' && layout !== 'records')
    throw invalidArgument('layout', "must be 'rows' or 'records'");
  if (rowsPerDocument !== undefined && rowsPerDocument !== Number.POSITIVE_INFINITY) {
    if (!Number.isSafeInteger(rowsPerDocument) || rowsPerDocument < 1)
      throw invalidArgument('rowsPerDocument', 'must be a whole number, at least 1, or Infinity');
  }
}

/** Puts rows together to texts; keeps those of one document at a time. */
export class RowGroups {
  readonly #settings: Settings;
  #header: readonly string[] | undefined;
  #headerNumber = 0;
  #lines: string[] = [];
  #start = 0;
  #end = 0;
  #hasRows = false;

  constructor(options: RowOptions, defaults: Settings) {
    this.#settings = {
      layout: options.layout ?? defaults.layout,
      headerRow: options.headerRow ?? defaults.headerRow,
      rowsPerDocument: options.rowsPerDocument ?? defaults.rowsPerDocument,
    };
  }

  /** A text that is full, if this row makes it so. Rows without text are passed over. */
  add({ number, cells }: SheetRow): RowGroup | undefined {
    const clean = cells.map(lineText);
    if (clean.every((cell) => cell === '')) return undefined;
    if (this.#settings.headerRow && this.#header === undefined) {
      this.#header = clean;
      this.#headerNumber = number;
      return undefined;
    }
    this.#hasRows = true;
    if (this.#lines.length === 0) this.#start = number;
    this.#end = number;
    this.#lines.push(this.#settings.layout === 'records' ? recordText(clean, this.#header) : rowLine(clean));
    return this.#lines.length >= this.#settings.rowsPerDocument ? this.#take() : undefined;
  }

  /** What is left: a sheet that is nothing but its header is a text of that. */
  end(): RowGroup | undefined {
    if (this.#lines.length > 0) return this.#take();
    if (this.#hasRows || this.#header === undefined) return undefined;
    return { text: rowLine(this.#header), startRow: this.#headerNumber, endRow: this.#headerNumber };
  }

  #take(): RowGroup {
    const isTable = this.#settings.layout === 'rows';
    const above = isTable && this.#header !== undefined ? [rowLine(this.#header)] : [];
    const text = [...above, ...this.#lines].join(isTable ? '\n' : '\n\n');
    this.#lines = [];
    return { text, startRow: this.#start, endRow: this.#end };
  }
}

function lineText(cell: string): string {
  if (!/[\r\n\t]/.test(cell)) return cell.trim();
  return cell.replace(/\s+/g, (space) => (/[\r\n\t]/.test(space) ? ' ' : space)).trim();
}

function rowLine(cells: readonly string[]): string {
  return cells.join('\t').trimEnd();
}

function recordText(cells: readonly string[], header: readonly string[] | undefined): string {
  const lines = cells.flatMap((cell, column) => {
    const name = header?.[column] ?? '';
    return cell === '' ? [] : [`${name === '' ? `Column ${column + 1}` : name}: ${cell}`];
  });
  return lines.join('\n');
}
