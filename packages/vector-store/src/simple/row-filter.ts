import type { Document } from '@vernal/core';
import { compileNormalFilter } from '../filter/evaluate-filter.js';
import type { FilterExpression } from '../filter/filter-expression.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { chainOf } from '../filter/normalize-filter.js';
import { printTree } from '../filter/print-filter.js';
import { RecentMap } from '../filter/recent-map.js';
import { MetadataColumn } from './metadata-column.js';

/** Filters whose matching rows are remembered until something changes. */
const REMEMBERED_FILTERS = 16;
/** Keys that are remembered with what each row holds under them: some 4 bytes a row and key. */
const REMEMBERED_KEYS = 8;

type Condition = Exclude<FilterExpression, { readonly type: 'AND' | 'OR' } | { readonly type: 'NOT' }>;

/** Which rows of a store a filter lets through. Means what `evaluateFilter` says of each document. */
export class RowFilter {
  readonly #documents: readonly Document[];
  readonly #matches = new RecentMap<string, Uint32Array>(REMEMBERED_FILTERS);
  /** `null` for a key with too many values. */
  readonly #columns = new RecentMap<string, MetadataColumn | null>(REMEMBERED_KEYS);

  /** `documents` are those of now, row by row. */
  constructor(documents: readonly Document[]) {
    this.#documents = documents;
  }

  /** A new last row, or another document in a row. */
  put(row: number, { metadata }: Document): void {
    this.#matches.clear();
    for (const [key, column] of this.#columns.entries()) {
      column?.put(row, metadata);
      if (column?.useless) this.#columns.set(key, null);
    }
  }

  /** The last row is in the place of this one now. */
  remove(row: number): void {
    this.#matches.clear();
    for (const [, column] of this.#columns.entries()) column?.remove(row);
  }

  /** In order. */
  matching(filter: NormalFilter): Uint32Array {
    // Not as JSON, which goes down a level for each test of a chain.
    const key = printTree(filter);
    const known = this.#matches.get(key);
    if (known !== undefined) return known;
    const marks = new Uint8Array(this.#documents.length).fill(1);
    this.#narrow(marks, filter);
    const found = new Uint32Array(marks.length);
    let count = 0;
    // Written always and counted where it passes: without a branch that no processor can foresee.
    for (let row = 0; row < marks.length; row++) {
      found[count] = row;
      count += marks[row] ?? 0;
    }
    const rows = found.slice(0, count);
    this.#matches.set(key, rows);
    return rows;
  }

  /** Leaves 1 where the filter lets a row through; what is 0 stays 0. */
  #narrow(marks: Uint8Array, filter: NormalFilter): void {
    switch (filter.type) {
      case 'AND':
        for (const part of chainOf(filter)) this.#narrow(marks, part);
        break;
      case 'OR':
        this.#narrowToAny(marks, chainOf(filter));
        break;
      default:
        this.#narrowByKey(marks, filter);
    }
  }

  #narrowToAny(marks: Uint8Array, parts: readonly NormalFilter[]): void {
    const left = marks.slice();
    for (const part of parts) {
      const found = left.slice();
      this.#narrow(found, part);
      for (let row = 0; row < left.length; row++) if (found[row] === 1) left[row] = 0;
    }
    for (let row = 0; row < left.length; row++) if (left[row] === 1) marks[row] = 0;
  }

  #narrowByKey(marks: Uint8Array, filter: Condition): void {
    const test = compileNormalFilter(filter);
    const column = this.#columnOf(filter.left.key);
    if (column !== null) column.narrow(marks, test);
    else
      for (const [row, { metadata }] of this.#documents.entries())
        if (marks[row] === 1 && !test(metadata)) marks[row] = 0;
  }

  #columnOf(key: string): MetadataColumn | null {
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    let column: MetadataColumn | null = new MetadataColumn(key);
    for (const [row, { metadata }] of this.#documents.entries()) {
      column.put(row, metadata);
      if (!column.useless) continue;
      column = null;
      break;
    }
    this.#columns.set(key, column);
    return column;
  }
}
