import type { Document } from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { Bm25Index } from '../keywords/bm25-index.js';
import type { HnswSettings } from './hnsw-options.js';
import { RowFilter } from './row-filter.js';
import { VectorCodes } from './vector-codes.js';
import { VectorIndex } from './vector-index.js';
import type { VectorSum } from './vector-kernel.js';
import { VectorRows } from './vector-rows.js';

/** Documents and vectors as they were at one moment, whatever is written since. */
export interface ContentSnapshot {
  readonly documents: readonly Document[];
  /** The first `documents.length` rows. */
  readonly rows: VectorRows | undefined;
  /** From here on the content may overwrite its rows in place again. */
  release(): void;
}

/** What a store holds: documents and vectors side by side, the row of each id, and what was derived from them. */
export class StoreContent {
  readonly #documents: Document[] = [];
  readonly #rowOfId = new Map<string, number>();
  readonly #filter = new RowFilter(this.#documents);
  #rows: VectorRows | undefined;
  /** Snapshots that read the present rows. */
  #readers = 0;
  #keywords: Bm25Index | undefined;
  #newIndex: ((rows: () => VectorRows) => VectorIndex) | undefined;
  #index: VectorIndex | undefined;
  #coded = false;
  #codes: VectorCodes | undefined;

  get size(): number {
    return this.#documents.length;
  }

  /** Undefined while there is nothing: then any length may come. */
  get dimensions(): number | undefined {
    return this.size === 0 ? undefined : this.#rows?.dimensions;
  }

  get rows(): VectorRows | undefined {
    return this.#rows;
  }

  /** Undefined where all searches are exact. */
  get index(): VectorIndex | undefined {
    return this.#index;
  }

  /** Undefined where searches read the vectors themselves. */
  get codes(): VectorCodes | undefined {
    return this.#codes;
  }

  /** From now on there are codes; those of what is there already are made at once. */
  encode(): void {
    this.#coded = true;
    if (this.#rows === undefined || this.size === 0) return;
    this.#codes = new VectorCodes(this.#rows.dimensions);
    for (let row = 0; row < this.size; row++) this.#codes.put(row, this.#rows.row(row));
  }

  /** From now on there is an index; what is there already waits for its place in it. */
  indexBy(settings: HnswSettings, sum: VectorSum): void {
    this.#newIndex = (rows) => new VectorIndex(settings, sum, rows);
    this.#startIndex();
    for (let row = 0; row < this.size; row++) this.#index?.put(row);
  }

  /** All searches are exact from now on. */
  dropIndex(): void {
    this.#newIndex = undefined;
    this.#index = undefined;
  }

  document(row: number): Document | undefined {
    return this.#documents[row];
  }

  rowOf(id: string): number | undefined {
    return this.#rowOfId.get(id);
  }

  /** `vectors[i]` is that of `documents[i]`, and all have `dimensions` of them. */
  put(documents: readonly Document[], vectors: readonly Float32Array[]): void {
    for (const [index, document] of documents.entries()) {
      const vector = vectors[index];
      if (vector !== undefined) this.#putOne(document, vector);
    }
  }

  /** How many of them were there. */
  removeIds(ids: readonly string[]): number {
    let removed = 0;
    for (const id of ids) if (this.#removeOne(id)) removed++;
    return removed;
  }

  removeMatching(filter: NormalFilter): number {
    const ids = Array.from(this.matching(filter), (row) => this.#documents[row]?.id ?? '');
    return this.removeIds(ids);
  }

  /** The rows that a filter lets through, in order. */
  matching(filter: NormalFilter): Uint32Array {
    return this.#filter.matching(filter);
  }

  /** Made at the first keyword search, and kept up to date from then on. */
  keywords(): Bm25Index {
    if (this.#keywords === undefined) {
      this.#keywords = new Bm25Index();
      for (const document of this.#documents) this.#keywords.put(document.id, document.text ?? '');
    }
    return this.#keywords;
  }

  snapshot(): ContentSnapshot {
    const rows = this.#rows;
    let released = false;
    this.#readers++;
    return {
      documents: [...this.#documents],
      rows,
      release: () => {
        if (released) return;
        released = true;
        if (this.#rows === rows) this.#readers--;
      },
    };
  }

  #putOne(document: Document, vector: Float32Array): void {
    const known = this.#rowOfId.get(document.id);
    if (known === undefined) {
      if (this.size === 0) {
        this.#replaceRows(new VectorRows(vector.length));
        this.#startIndex();
        if (this.#coded) this.#codes = new VectorCodes(vector.length);
      }
      // Appending touches no row that a snapshot reads.
      const row = this.#rows?.append(vector) ?? 0;
      this.#documents[row] = document;
      this.#rowOfId.set(document.id, row);
      this.#index?.put(row);
      this.#codes?.put(row, vector);
      this.#filter.put(row, document);
    } else {
      this.#ownRows()?.set(known, vector);
      this.#documents[known] = document;
      this.#index?.put(known);
      this.#codes?.put(known, vector);
      this.#filter.put(known, document);
    }
    this.#keywords?.put(document.id, document.text ?? '');
  }

  #removeOne(id: string): boolean {
    const row = this.#rowOfId.get(id);
    if (row === undefined) return false;
    this.#ownRows()?.remove(row);
    this.#index?.remove(row);
    this.#codes?.remove(row, this.size - 1);
    this.#filter.remove(row);
    this.#rowOfId.delete(id);
    const last = this.#documents.pop();
    if (last !== undefined && last.id !== id) {
      this.#documents[row] = last;
      this.#rowOfId.set(last.id, row);
    }
    this.#keywords?.remove(id);
    return true;
  }

  /** The rows, no longer shared with any snapshot. */
  #ownRows(): VectorRows | undefined {
    if (this.#readers > 0 && this.#rows !== undefined) this.#replaceRows(this.#rows.copy());
    return this.#rows;
  }

  #startIndex(): void {
    const none = new VectorRows(0);
    this.#index = this.#newIndex?.(() => this.#rows ?? none);
  }

  #replaceRows(rows: VectorRows): void {
    this.#rows = rows;
    this.#readers = 0;
  }
}
