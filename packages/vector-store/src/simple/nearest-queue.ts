/** Nodes to go on from, best score first: a heap without bound. */
export class NearestQueue {
  readonly #scores: number[] = [];
  readonly #nodes: number[] = [];

  clear(): void {
    this.#scores.length = 0;
    this.#nodes.length = 0;
  }

  /** Of the node that `take` gives next; -Infinity when there is none. */
  get best(): number {
    return this.#scores[0] ?? Number.NEGATIVE_INFINITY;
  }

  get empty(): boolean {
    return this.#scores.length === 0;
  }

  put(score: number, node: number): void {
    let index = this.#scores.length;
    this.#scores.push(score);
    this.#nodes.push(node);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#scores[parent] ?? 0;
      if (above >= score) break;
      this.#place(index, above, this.#nodes[parent] ?? 0);
      index = parent;
    }
    this.#place(index, score, node);
  }

  take(): number {
    const first = this.#nodes[0] ?? 0;
    const score = this.#scores.pop() ?? 0;
    const node = this.#nodes.pop() ?? 0;
    const size = this.#scores.length;
    if (size === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && (this.#scores[child + 1] ?? 0) > (this.#scores[child] ?? 0)) child++;
      const below = this.#scores[child] ?? 0;
      if (below <= score) break;
      this.#place(index, below, this.#nodes[child] ?? 0);
      index = child;
    }
    this.#place(index, score, node);
    return first;
  }

  #place(index: number, score: number, node: number): void {
    this.#scores[index] = score;
    this.#nodes[index] = node;
  }
}
