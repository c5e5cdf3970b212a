import { invalidArgument, type MetadataInput } from '@vernal/core';
import type { OfficeReaderOptions, Unit } from '../reading/unit-documents.js';
import { checkRowOptions, type RowGroup, RowGroups, type RowOptions, type SheetRow } from './row-groups.js';

/** Which sheets of a workbook are read, and how their rows become documents. Left out: a document for each sheet, a line for each row. */
export interface SheetReaderOptions extends OfficeReaderOptions, RowOptions {
  /** 'iso': `2024-05-01 13:30`, which means the same everywhere. 'formatted': as the cell shows it. Default 'iso'. */
  readonly dates?: 'iso' | 'formatted' | undefined;
  /** Names of the sheets to read. Default all. */
  readonly sheets?: readonly string[] | undefined;
  /** Sheets that are hidden, too; they have `hidden: true`. Default true. */
  readonly includeHidden?: boolean | undefined;
}

/** A sheet, without its rows. */
export interface Sheet {
  readonly name: string;
  /** From 1. */
  readonly number: number;
  readonly isHidden: boolean;
}

const DEFAULTS = { layout: 'rows', headerRow: true, rowsPerDocument: Number.POSITIVE_INFINITY } as const;

/** @throws VernalError `invalid_argument` */
export function checkSheetOptions(options: SheetReaderOptions): void {
  checkRowOptions(options);
  const { dates, sheets } = options;
  if (dates !== undefined && dates !== 'iso' && dates !== 'formatted')
    throw invalidArgument('dates', "must be 'iso' or 'formatted'");
  if (sheets !== undefined && !(Array.isArray(sheets) && sheets.every((name) => typeof name === 'string')))
    throw invalidArgument('sheets', 'must be a list of names');
}

export function isWanted(
  { sheets, includeHidden = true }: SheetReaderOptions,
  name: string,
  isHidden: boolean,
): boolean {
  return (sheets === undefined || sheets.includes(name)) && (includeHidden || !isHidden);
}

/** The units of one sheet, as its rows come. */
export class SheetUnits {
  readonly #groups: RowGroups;
  readonly #metadata: MetadataInput;

  constructor({ name, number, isHidden }: Sheet, options: SheetReaderOptions, properties: MetadataInput) {
    this.#groups = new RowGroups(options, DEFAULTS);
    const place = { unit: 'sheet', title: name, sheet: name, sheet_number: number };
    this.#metadata = { ...properties, ...place, ...(isHidden && { hidden: true }) };
  }

  *add(row: SheetRow): Generator<Unit> {
    const group = this.#groups.add(row);
    if (group !== undefined) yield this.#unit(group);
  }

  *end(): Generator<Unit> {
    const last = this.#groups.end();
    if (last !== undefined) yield this.#unit(last);
  }

  #unit({ text, startRow, endRow }: RowGroup): Unit {
    return { text, metadata: { ...this.#metadata, start_row: startRow, end_row: endRow } };
  }
}
