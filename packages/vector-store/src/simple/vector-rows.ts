import { dot, squaredDistance } from './plain-vector-sums.js';
import type { VectorKernel, VectorSum } from './vector-kernel.js';
import { createVectorKernel, PAGE_BYTES } from './vector-kernel.js';

/** Rows that the kernel scores at a time: their scores fit the nearest cache. */
const BLOCK_ROWS = 4_096;
/** From this size on rows live in WebAssembly memory. Each memory reserves gigabytes of addresses, so small stores do without. */
const KERNEL_BYTES = 1 << 20;
const FLOAT_BYTES = 4;
const LANES = 4;

/** Takes the scores of the rows from `first` on, or of `rows[first]` and on when rows were named. */
export type ScoreVisitor = (scores: Float32Array, first: number, count: number) => void;

/**
 * Vectors of one length, one behind the other, each filled up to whole groups of four. Grows; never holds more than an eighth of free
 * space once it is large.
 */
export class VectorRows {
  readonly dimensions: number;
  readonly #stride: number;
  #count = 0;
  #capacity = 0;
  #floats: Float32Array = new Float32Array(0);
  #kernel: VectorKernel | undefined;
  #kernelRefused = false;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / LANES) * LANES;
  }

  get count(): number {
    return this.#count;
  }

  /** A view, not a copy: of use until the next `append`. */
  row(index: number): Float32Array {
    const start = this.#firstFloat() + index * this.#stride;
    return this.#floats.subarray(start, start + this.dimensions);
  }

  append(vector: Float32Array): number {
    if (this.#count === this.#capacity) this.#grow(this.#count + 1);
    this.#count++;
    this.set(this.#count - 1, vector);
    return this.#count - 1;
  }

  set(index: number, vector: Float32Array): void {
    this.row(index).set(vector);
  }

  /** Takes a row out by putting the last one in its place. */
  remove(index: number): void {
    const last = this.#count - 1;
    if (index !== last) this.set(index, this.row(last));
    this.#count = last;
  }

  /** Room for `count` rows without another growth. */
  reserve(count: number): void {
    if (count > this.#capacity) this.#grow(count, false);
  }

  copy(): VectorRows {
    const copy = new VectorRows(this.dimensions);
    copy.reserve(this.#count);
    for (let i = 0; i < this.#count; i++) copy.append(this.row(i));
    return copy;
  }

  /** Scores all rows, or those named, in blocks. `scores` is overwritten by the next block. */
  score(sum: VectorSum, query: Float32Array, rows: Uint32Array | undefined, visit: ScoreVisitor): void {
    if (this.#kernel === undefined) this.#scorePlain(sum, query, rows, visit);
    else this.#scoreByKernel(this.#kernel, sum, query, rows, visit);
  }

  #scorePlain(sum: VectorSum, query: Float32Array, rows: Uint32Array | undefined, visit: ScoreVisitor): void {
    const total = rows === undefined ? this.#count : rows.length;
    const scores = new Float32Array(Math.min(BLOCK_ROWS, total));
    const add = sum === 'dot' ? dot : squaredDistance;
    for (let first = 0; first < total; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, total - first);
      for (let i = 0; i < count; i++) {
        const row = rows === undefined ? first + i : (rows[first + i] ?? 0);
        scores[i] = add(query, this.row(row));
      }
      visit(scores, first, count);
    }
  }

  #scoreByKernel(
    kernel: VectorKernel,
    sum: VectorSum,
    query: Float32Array,
    rows: Uint32Array | undefined,
    visit: ScoreVisitor,
  ): void {
    const stride = this.#stride * FLOAT_BYTES;
    const { buffer } = kernel.memory;
    const scoresAt = stride;
    const indexesAt = scoresAt + BLOCK_ROWS * FLOAT_BYTES;
    const rowsAt = this.#firstFloat() * FLOAT_BYTES;
    this.#floats.set(query, 0);
    const scores = new Float32Array(buffer, scoresAt, BLOCK_ROWS);
    const indexes = new Uint32Array(buffer, indexesAt, BLOCK_ROWS);
    const total = rows === undefined ? this.#count : rows.length;
    for (let first = 0; first < total; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, total - first);
      if (rows === undefined) kernel[sum](0, rowsAt + first * stride, 0, count, stride, scoresAt);
      else {
        indexes.set(rows.subarray(first, first + count));
        kernel[sum](0, rowsAt, indexesAt, count, stride, scoresAt);
      }
      visit(scores, first, count);
    }
  }

  /** Before the rows, in WebAssembly memory: the query, the scores of a block, the row numbers of a block. */
  #firstFloat(): number {
    return this.#kernel === undefined ? 0 : this.#stride + 2 * BLOCK_ROWS;
  }

  #grow(least: number, ahead = true): void {
    const stride = this.#stride * FLOAT_BYTES;
    const small = least * stride < KERNEL_BYTES;
    const capacity = ahead ? Math.max(least, 16, Math.ceil(this.#count * (small ? 1.5 : 1.125))) : least;
    if (this.#kernel === undefined && !this.#kernelRefused && capacity * stride >= KERNEL_BYTES) this.#moveToKernel();
    if (this.#kernel !== undefined && this.#growKernel(this.#kernel, capacity)) return;
    const floats = new Float32Array(capacity * this.#stride);
    const start = this.#firstFloat();
    floats.set(this.#floats.subarray(start, start + this.#count * this.#stride));
    // No more WebAssembly memory to be had: go on without.
    if (this.#kernel !== undefined) this.#kernelRefused = true;
    this.#kernel = undefined;
    this.#floats = floats;
    this.#capacity = capacity;
  }

  #moveToKernel(): void {
    const rows = this.#floats.subarray(0, this.#count * this.#stride);
    const header = this.#stride + 2 * BLOCK_ROWS;
    const kernel = createVectorKernel(Math.ceil(((header + rows.length) * FLOAT_BYTES) / PAGE_BYTES));
    this.#kernelRefused = kernel === undefined;
    if (kernel === undefined) return;
    this.#kernel = kernel;
    this.#floats = new Float32Array(kernel.memory.buffer);
    this.#floats.set(rows, header);
  }

  #growKernel(kernel: VectorKernel, capacity: number): boolean {
    const bytes = (this.#firstFloat() + capacity * this.#stride) * FLOAT_BYTES;
    const missing = Math.ceil((bytes - kernel.memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      try {
        kernel.memory.grow(missing);
      } catch {
        return false;
      }
      this.#floats = new Float32Array(kernel.memory.buffer);
    }
    this.#capacity = Math.floor(this.#floats.length / this.#stride) - Math.ceil(this.#firstFloat() / this.#stride);
    return true;
  }
}
