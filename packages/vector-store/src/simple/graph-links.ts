const FIRST_NODES = 64;

/** Who is linked to whom in a graph of levels, in one block of numbers for the lowest level, which holds almost all of them. */
export class GraphLinks {
  readonly #m: number;
  /** Per node: how many links, then 2 m places for them. */
  #lowest = new Uint32Array(0);
  /** The same with m places, one level after the other, of the few nodes that reach above the lowest. */
  readonly #upper: (Uint32Array | undefined)[] = [];

  constructor(m: number) {
    this.#m = m;
  }

  get nodes(): number {
    return this.#upper.length;
  }

  /** Makes a node that is in `level` and all levels below it, without links. */
  add(level: number): number {
    const node = this.nodes;
    const width = 2 * this.#m + 1;
    if (this.#lowest.length < (node + 1) * width) {
      const grown = new Uint32Array(Math.max(FIRST_NODES, Math.ceil(node * 1.125)) * width);
      grown.set(this.#lowest);
      this.#lowest = grown;
    }
    this.#upper.push(level === 0 ? undefined : new Uint32Array(level * (this.#m + 1)));
    return node;
  }

  levelOf(node: number): number {
    return (this.#upper[node]?.length ?? 0) / (this.#m + 1);
  }

  /** How many links a node may have. */
  most(level: number): number {
    return level === 0 ? 2 * this.#m : this.#m;
  }

  count(node: number, level: number): number {
    return this.#block(node, level)[this.#start(node, level)] ?? 0;
  }

  /** `index` is below `count`. */
  link(node: number, level: number, index: number): number {
    return this.#block(node, level)[this.#start(node, level) + 1 + index] ?? 0;
  }

  /** Into the place behind the last; there must be one. */
  append(node: number, level: number, neighbour: number): void {
    const block = this.#block(node, level);
    const start = this.#start(node, level);
    const count = block[start] ?? 0;
    block[start + 1 + count] = neighbour;
    block[start] = count + 1;
  }

  /** In place of all there were. */
  replace(node: number, level: number, neighbours: readonly number[]): void {
    const block = this.#block(node, level);
    const start = this.#start(node, level);
    block[start] = neighbours.length;
    block.set(neighbours, start + 1);
  }

  #block(node: number, level: number): Uint32Array {
    return level === 0 ? this.#lowest : (this.#upper[node] ?? this.#lowest);
  }

  #start(node: number, level: number): number {
    return level === 0 ? node * (2 * this.#m + 1) : (level - 1) * (this.#m + 1);
  }
}
