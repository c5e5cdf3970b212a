import type { Document } from '@vernal/core';
import { compileNormalFilter } from '../filter/evaluate-filter.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { RecentMap } from '../filter/recent-map.js';
import { KeywordIndex } from './keyword-index.js';
import { VectorRows } from './vector-rows.js';

/** Filters whose matching rows are remembered until something changes. */
const REMEMBERED_FILTERS = 16;

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
  readonly #matches = new RecentMap<string, Uint32Array>(REMEMBERED_FILTERS);
  #rows: VectorRows | undefined;
  /** Snapshots that read the present rows. */
  #readers = 0;
  #keywords: KeywordIndex | undefined;

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
    this.#matches.clear();
  }

  /** How many of them were there. */
  removeIds(ids: readonly string[]): number {
    let removed = 0;
    for (const id of ids) if (this.#removeOne(id)) removed++;
    if (removed > 0) this.#matches.clear();
    return removed;
  }

  removeMatching(filter: NormalFilter): number {
    const ids = Array.from(this.matching(filter), (row) => this.#documents[row]?.id ?? '');
    return this.removeIds(ids);
  }

  /** The rows that a filter lets through, in order. */
  matching(filter: NormalFilter): Uint32Array {
    const key = JSON.stringify(filter);
    const known = this.#matches.get(key);
    if (known !== undefined) return known;
    const test = compileNormalFilter(filter);
    const rows: number[] = [];
    for (const [row, document] of this.#documents.entries()) if (test(document.metadata)) rows.push(row);
    const found = Uint32Array.from(rows);
    this.#matches.set(key, found);
    return found;
  }

  /** Made at the first keyword search, and kept up to date from then on. */
  keywords(): KeywordIndex {
    if (this.#keywords === undefined) {
      this.#keywords = new KeywordIndex();
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
      if (this.size === 0) this.#replaceRows(new VectorRows(vector.length));
      // Appending touches no row that a snapshot reads.
      const row = this.#rows?.append(vector) ?? 0;
      this.#documents[row] = document;
      this.#rowOfId.set(document.id, row);
    } else {
      this.#ownRows()?.set(known, vector);
      this.#documents[known] = document;
    }
    this.#keywords?.put(document.id, document.text ?? '');
  }

  #removeOne(id: string): boolean {
    const row = this.#rowOfId.get(id);
    if (row === undefined) return false;
    this.#ownRows()?.remove(row);
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

  #replaceRows(rows: VectorRows): void {
    this.#rows = rows;
    this.#readers = 0;
  }
}
