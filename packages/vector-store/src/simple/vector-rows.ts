import { dot, squaredDistance } from '../store/vector-sums.js';
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
 * Vectors of one length, one behind the other, each filled up to whole groups of four. Grows; from a megabyte on it never holds more than
 * a sixteenth of free space, and a page.
 */
export class VectorRows {
  readonly dimensions: number;
  readonly #stride: number;
  #count = 0;
  #capacity = 0;
  #floats: Float32Array = new Float32Array(0);
  #kernel: VectorKernel | undefined;
  #kernelRefused = false;
  /** Views of the kernel's scratch space, where there is a kernel. */
  #scores: Float32Array = new Float32Array(0);
  #indexes: Uint32Array = new Uint32Array(0);

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

  /**
   * Scores a few rows, at most 4,096: `out[i]` is that of `rows[i]`. The query is a vector or the number of a row. Makes no objects where
   * there is a kernel: a walk through a graph does this a thousand times.
   */
  scoreFew(
    sum: VectorSum,
    query: Float32Array | number,
    rows: readonly number[],
    count: number,
    out: Float32Array,
  ): void {
    if (this.#kernel === undefined) {
      const vector = typeof query === 'number' ? this.row(query) : query;
      const add = sum === 'dot' ? dot : squaredDistance;
      for (let i = 0; i < count; i++) out[i] = add(vector, this.row(rows[i] ?? 0));
      return;
    }
    const stride = this.#stride * FLOAT_BYTES;
    const rowsAt = this.#firstFloat() * FLOAT_BYTES;
    if (typeof query !== 'number') this.#floats.set(query, 0);
    for (let i = 0; i < count; i++) this.#indexes[i] = rows[i] ?? 0;
    const queryAt = typeof query === 'number' ? rowsAt + query * stride : 0;
    this.#scoreNamed(this.#kernel, sum, queryAt, count);
    for (let i = 0; i < count; i++) out[i] = this.#scores[i] ?? 0;
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
    const scoresAt = stride;
    const rowsAt = this.#firstFloat() * FLOAT_BYTES;
    this.#floats.set(query, 0);
    const total = rows === undefined ? this.#count : rows.length;
    for (let first = 0; first < total; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, total - first);
      if (rows === undefined) kernel[sum](0, rowsAt + first * stride, count, stride, scoresAt);
      else {
        this.#indexes.set(rows.subarray(first, first + count));
        this.#scoreNamed(kernel, sum, 0, count);
      }
      visit(this.#scores, first, count);
    }
  }

  /** The first `count` of the named rows. */
  #scoreNamed(kernel: VectorKernel, sum: VectorSum, queryAt: number, count: number): void {
    const stride = this.#stride * FLOAT_BYTES;
    const whole = Math.ceil(count / LANES) * LANES;
    this.#indexes.fill(this.#indexes[0] ?? 0, count, whole);
    const [scoresAt, indexesAt] = [stride, stride + BLOCK_ROWS * FLOAT_BYTES];
    const score = sum === 'dot' ? kernel.dotOf : kernel.squaredDistanceOf;
    score(queryAt, this.#firstFloat() * FLOAT_BYTES, indexesAt, whole, stride, scoresAt);
  }

  /** Before the rows, in WebAssembly memory: the query, the scores of a block, the row numbers of a block. */
  #firstFloat(): number {
    return this.#kernel === undefined ? 0 : this.#stride + 2 * BLOCK_ROWS;
  }

  #grow(least: number, ahead = true): void {
    const stride = this.#stride * FLOAT_BYTES;
    const small = least * stride < KERNEL_BYTES;
    const capacity = ahead
      ? Math.max(least, 16, Math.ceil(this.#count * (small ? 1.5 : this.#kernel === undefined ? 1.125 : 1.0625)))
      : least;
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
    this.#see(kernel);
    this.#floats.set(rows, header);
  }

  /** The kernel's memory as it is now: each growth makes another buffer of it. */
  #see({ memory: { buffer } }: VectorKernel): void {
    const scoresAt = this.#stride * FLOAT_BYTES;
    this.#floats = new Float32Array(buffer);
    this.#scores = new Float32Array(buffer, scoresAt, BLOCK_ROWS);
    this.#indexes = new Uint32Array(buffer, scoresAt + BLOCK_ROWS * FLOAT_BYTES, BLOCK_ROWS);
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
      this.#see(kernel);
    }
    this.#capacity = Math.floor(this.#floats.length / this.#stride) - Math.ceil(this.#firstFloat() / this.#stride);
    return true;
  }
}
