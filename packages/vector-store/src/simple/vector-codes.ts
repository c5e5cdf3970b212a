import { TopRows } from './top-rows.js';
import type { VectorKernel, VectorSum } from './vector-kernel.js';
import { createVectorKernel, PAGE_BYTES } from './vector-kernel.js';

const BLOCK_ROWS = 4_096;
const GROUP = 16;
const MOST_CODE = 127;
const FIRST_ROWS = 1_024;
/** Twice what rounding to float32 may take away or add. */
const FLOAT_NOISE = 2 ** -23;

/** A vector as whole numbers times a scale, and how far that is from it. */
interface Rounded {
  readonly scale: number;
  readonly error: number;
}

/** Writes whole numbers from -most to most into `codes`, which is as long as the vector or longer. */
function round(vector: Float32Array, most: number, codes: Int8Array | Int16Array): Rounded {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  // As it is kept.
  const scale = Math.fround(largest / most);
  let square = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0;
    // Scales of the smallest numbers there are may be far from what they should be.
    const code = scale === 0 ? 0 : Math.max(-most, Math.min(most, Math.round(value / scale)));
    codes[i] = code;
    square += (value - code * scale) ** 2;
  }
  return { scale, error: Math.sqrt(square) };
}

/**
 * Each vector once more in one byte a dimension, a quarter of what a search has to read, with what that leaves out. By it a search knows
 * between which bounds the score of each row lies, and so which rows cannot be among the best: the others are few, and are scored exactly.
 *
 * Source: the Cauchy-Schwarz inequality; q x = q' x' + q (x - x') + (q - q') x', where q' and x' are the rounded ones.
 */
export class VectorCodes {
  readonly #dimensions: number;
  readonly #stride: number;
  /** Undefined without WebAssembly, and when it has no more memory: then there are no codes. */
  #kernel: VectorKernel | undefined;
  #capacity = 0;
  #scales = new Float32Array(0);
  #errors = new Float32Array(0);
  #norms = new Float32Array(0);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / GROUP) * GROUP;
    this.#kernel = createVectorKernel(Math.ceil(this.#at(0) / PAGE_BYTES));
  }

  /** The row is new, the next behind the last, or holds another vector now. */
  put(row: number, vector: Float32Array): void {
    if (row >= this.#capacity) this.#grow(row + 1);
    if (this.#kernel === undefined) return;
    const codes = new Int8Array(this.#kernel.memory.buffer, this.#at(row), this.#dimensions);
    const { scale, error } = round(vector, MOST_CODE, codes);
    let square = 0;
    for (const value of vector) square += value * value;
    this.#scales[row] = scale;
    this.#errors[row] = error * (1 + FLOAT_NOISE);
    this.#norms[row] = Math.sqrt(square);
  }

  /** The row is taken out and the last one put in its place. */
  remove(row: number, last: number): void {
    if (this.#kernel === undefined) return;
    new Uint8Array(this.#kernel.memory.buffer).copyWithin(this.#at(row), this.#at(last), this.#at(last + 1));
    for (const values of [this.#scales, this.#errors, this.#norms]) values[row] = values[last] ?? 0;
  }

  /** Rows among which the `limit` best of the first `count` are, for certain. Undefined where there are no codes. */
  candidates(sum: VectorSum, query: Float32Array, count: number, limit: number): Uint32Array | undefined {
    const kernel = this.#kernel;
    if (kernel === undefined) return undefined;
    const { buffer } = kernel.memory;
    const codes = new Int16Array(buffer, 0, this.#stride);
    // Sums of products must not leave int32.
    const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / (MOST_CODE * this.#stride)));
    const { scale, error } = round(query, most, codes);
    const queryNorm = Math.sqrt(query.reduce((square, value) => square + value * value, 0));
    const out = 2 * this.#stride;
    const sums = new Int32Array(buffer, out, BLOCK_ROWS);
    const top = new TopRows(limit);
    const rows: number[] = [];
    const uppers: number[] = [];
    for (let first = 0; first < count; first += BLOCK_ROWS) {
      const block = Math.min(BLOCK_ROWS, count - first);
      kernel.codes(0, this.#at(first), block, this.#stride, out);
      let bar = top.bar;
      for (let i = 0; i < block; i++) {
        const row = first + i;
        const norm = this.#norms[row] ?? 0;
        const rowError = this.#errors[row] ?? 0;
        let score = (sums[i] ?? 0) * (this.#scales[row] ?? 0) * scale;
        let slack = queryNorm * rowError + error * (norm + rowError);
        if (sum === 'squaredDistance') {
          // The negative square of the distance, without the square of the query, which is the same for all.
          score = 2 * score - norm * norm;
          slack = 2 * slack + FLOAT_NOISE * norm * norm;
        }
        // And what is lost by computing in double precision.
        slack += 1e-12 * (queryNorm + norm) * (queryNorm + norm);
        if (!(score + slack >= bar)) continue;
        rows.push(row);
        uppers.push(score + slack);
        top.offer(score - slack, row);
        bar = top.bar;
      }
    }
    const { bar } = top;
    return Uint32Array.from(rows.filter((_row, i) => (uppers[i] ?? 0) >= bar));
  }

  /** Before the codes: the query in int16, and the sums of a block. */
  #at(row: number): number {
    return 2 * this.#stride + 4 * BLOCK_ROWS + row * this.#stride;
  }

  #grow(least: number): void {
    const kernel = this.#kernel;
    if (kernel === undefined) return;
    const capacity = Math.max(FIRST_ROWS, least, Math.ceil(this.#capacity * 1.0625));
    const missing = Math.ceil((this.#at(capacity) - kernel.memory.buffer.byteLength) / PAGE_BYTES);
    try {
      if (missing > 0) kernel.memory.grow(missing);
    } catch {
      this.#kernel = undefined;
      return;
    }
    const longer = (values: Float32Array): Float32Array<ArrayBuffer> => {
      const grown = new Float32Array(capacity);
      grown.set(values);
      return grown;
    };
    this.#scales = longer(this.#scales);
    this.#errors = longer(this.#errors);
    this.#norms = longer(this.#norms);
    this.#capacity = capacity;
  }
}
