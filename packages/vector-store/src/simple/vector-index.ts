import { HnswGraph } from './hnsw-graph.js';
import type { HnswSettings } from './hnsw-options.js';
import type { VectorSum } from './vector-kernel.js';
import type { VectorRows } from './vector-rows.js';

/** A graph with fewer nodes that lost their row is left as it is. */
const FEW_GONE = 64;

/** Rows near a query, in no order, and rows the graph does not know yet, which have to be scored one by one. */
export interface IndexedSearch {
  readonly rows: readonly number[];
  readonly others: Uint32Array;
}

/**
 * The graph over the rows of a store. It follows them: new and replaced rows wait in a line until `indexSome` gets to them, in order, and
 * are searched exactly meanwhile. When a quarter of the nodes have lost their row, the graph is made anew the same way.
 */
export class VectorIndex {
  readonly #settings: HnswSettings;
  readonly #sum: VectorSum;
  readonly #rows: () => VectorRows;
  #graph: HnswGraph;
  /** The node of each row; -1 while the row waits. */
  readonly #nodes: number[] = [];
  readonly #waiting = new Set<number>();
  #waitingRows: Uint32Array | undefined;
  #gone = 0;

  constructor(settings: HnswSettings, sum: VectorSum, rows: () => VectorRows) {
    this.#settings = settings;
    this.#sum = sum;
    this.#rows = rows;
    this.#graph = new HnswGraph(settings, sum, rows);
  }

  /** Rows that wait for their place in the graph; 0 while the store is small enough to be searched without. */
  get waiting(): number {
    return this.#nodes.length > this.#settings.aboveSize ? this.#waiting.size : 0;
  }

  /** The row is new, the next behind the last, or holds another vector now. */
  put(row: number): void {
    this.#dropNode(row);
    this.#nodes[row] = -1;
    this.#wait(row);
    this.#renewWhenWorn();
  }

  /** The row is taken out and the last one put in its place. */
  remove(row: number): void {
    this.#dropNode(row);
    this.#arrive(row);
    const last = this.#nodes.length - 1;
    const node = this.#nodes.pop() ?? -1;
    if (row !== last) {
      this.#nodes[row] = node;
      if (node >= 0) this.#graph.move(node, row);
      else {
        this.#arrive(last);
        this.#wait(row);
      }
    }
    this.#renewWhenWorn();
  }

  /** Gives the next `count` rows of the line their places. */
  indexSome(count: number): void {
    let left = Math.min(count, this.waiting);
    for (const row of this.#waiting) {
      if (left === 0) return;
      left--;
      this.#arrive(row);
      this.#nodes[row] = this.#graph.insert(row);
    }
  }

  /**
   * Undefined where an exact search is as quick or finds what the graph would miss: few rows, a quarter of them waiting, few that
   * `matching` lets through, or a large part of them wanted.
   */
  search(query: Float32Array, limit: number, matching: Uint32Array | undefined): IndexedSearch | undefined {
    const { aboveSize, efSearch, m } = this.#settings;
    const size = this.#nodes.length;
    const wanted = matching?.length ?? size;
    if (size <= aboveSize || this.#waiting.size * 4 > size) return undefined;
    const breadth = Math.max(efSearch, 2 * limit);
    // The walk scores some 2 m vectors for each of `breadth`, and as many times more as the filter keeps out.
    if (matching !== undefined && breadth * 2 * m * (size / Math.max(1, wanted)) >= wanted) return undefined;
    if (limit > efSearch && limit * m >= size) return undefined;
    let accepts: Uint8Array | undefined;
    if (matching !== undefined) {
      accepts = new Uint8Array(size);
      for (const row of matching) accepts[row] = 1;
    }
    const most = matching === undefined ? size : wanted;
    const rows = this.#graph.nearest(query, breadth, accepts, most);
    const others = this.#waitingMatches(accepts);
    return rows.length + others.length < Math.min(limit, wanted) ? undefined : { rows, others };
  }

  #waitingMatches(accepts: Uint8Array | undefined): Uint32Array {
    this.#waitingRows ??= Uint32Array.from(this.#waiting);
    return accepts === undefined ? this.#waitingRows : this.#waitingRows.filter((row) => accepts[row] === 1);
  }

  #wait(row: number): void {
    this.#waiting.add(row);
    this.#waitingRows = undefined;
  }

  #arrive(row: number): void {
    if (this.#waiting.delete(row)) this.#waitingRows = undefined;
  }

  #dropNode(row: number): void {
    const node = this.#nodes[row] ?? -1;
    if (node < 0) return;
    this.#graph.move(node, -1);
    this.#gone++;
  }

  #renewWhenWorn(): void {
    if (this.#gone < FEW_GONE || this.#gone * 4 < this.#nodes.length - this.#waiting.size + this.#gone) return;
    this.#graph = new HnswGraph(this.#settings, this.#sum, this.#rows);
    this.#gone = 0;
    for (let row = 0; row < this.#nodes.length; row++) {
      this.#nodes[row] = -1;
      this.#wait(row);
    }
  }
}
