/**
 * Vectors of common English words. File layout, little endian:
 * 'VWT1', uint32 count, uint32 dimensions, uint32 bytes of the word list; then per word a float32 relative frequency; per
 * word a float32 scale; per word `dimensions` int8 (times the scale they are the vector); then the words, UTF-8, one a line,
 * most frequent first.
 */
export interface WordTable {
  readonly dimensions: number;
  readonly size: number;
  /** Row of a lower-case word; undefined when it is not in the table. */
  row(word: string): number | undefined;
  /** Share of running text that the word of this row makes up, 0 to 1. */
  frequency(row: number): number;
  /** Adds `weight` times the row's vector to the start of `target`. */
  addTo(target: Float64Array, row: number, weight: number): void;
  /** Cosine similarity of two rows, -1 to 1. */
  similarity(a: number, b: number): number;
}

const MAGIC = 0x31545756;
const HEADER = 16;

/** Reads the layout above. Undefined when the bytes are something else or cut off. */
export function parseWordTable(bytes: Uint8Array): WordTable | undefined {
  if (bytes.byteLength < HEADER) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(4, true);
  const dimensions = view.getUint32(8, true);
  const wordBytes = view.getUint32(12, true);
  const vectorStart = HEADER + size * 8;
  const wordStart = vectorStart + size * dimensions;
  if (view.getUint32(0, true) !== MAGIC || bytes.byteLength !== wordStart + wordBytes) return undefined;

  const frequencies = new Float32Array(size);
  const scales = new Float32Array(size);
  for (let row = 0; row < size; row++) {
    frequencies[row] = view.getFloat32(HEADER + row * 4, true);
    scales[row] = view.getFloat32(HEADER + (size + row) * 4, true);
  }
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + vectorStart, size * dimensions);
  const rows = new Map<string, number>();
  for (const word of new TextDecoder().decode(bytes.subarray(wordStart)).split('\n')) rows.set(word, rows.size);

  const norms = new Float32Array(size);
  const norm = (row: number): number => {
    let known = norms[row] ?? 0;
    if (known === 0) {
      // Rounded as it is kept, so that the first answer is the same as the next.
      known = Math.fround(Math.sqrt(Math.max(1, product(row, row))));
      norms[row] = known;
    }
    return known;
  };
  const product = (a: number, b: number): number => {
    let sum = 0;
    for (let d = 0; d < dimensions; d++) sum += (vectors[a * dimensions + d] ?? 0) * (vectors[b * dimensions + d] ?? 0);
    return sum;
  };

  return {
    dimensions,
    size,
    row: (word) => rows.get(word),
    frequency: (row) => frequencies[row] ?? 0,
    addTo(target, row, weight) {
      const factor = weight * (scales[row] ?? 0);
      const start = row * dimensions;
      for (let d = 0; d < dimensions; d++) target[d] = (target[d] ?? 0) + factor * (vectors[start + d] ?? 0);
    },
    similarity: (a, b) => product(a, b) / (norm(a) * norm(b)),
  };
}
