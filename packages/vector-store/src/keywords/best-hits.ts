/** Something with a score. Of equal scores the lower `place` is the better one. */
export interface RankedHit {
  readonly score: number;
  readonly place: number;
}

function isWorse(a: RankedHit, b: RankedHit): boolean {
  return a.score < b.score || (a.score === b.score && a.place > b.place);
}

/** The `limit` best of many: a heap whose root is the worst that is kept. What is kept does not depend on the order of offering. */
export class BestHits<T extends RankedHit> {
  readonly #limit: number;
  readonly #heap: T[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Below it nothing is kept; at it, the place decides. */
  get bar(): number {
    return this.#heap.length < this.#limit ? Number.NEGATIVE_INFINITY : (this.#heap[0]?.score ?? 0);
  }

  offer(hit: T): void {
    const [worst] = this.#heap;
    if (this.#heap.length < this.#limit) {
      this.#heap.push(hit);
      this.#rise(hit);
    } else if (worst !== undefined && isWorse(worst, hit)) {
      this.#sink(hit);
    }
  }

  /** Best first. */
  sorted(): T[] {
    return this.#heap.toSorted((a, b) => (isWorse(a, b) ? 1 : -1));
  }

  #rise(hit: T): void {
    let at = this.#heap.length - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || !isWorse(hit, parent)) break;
      this.#heap[at] = parent;
      at = above;
    }
    this.#heap[at] = hit;
  }

  /** Puts it in the place of the root. */
  #sink(hit: T): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      if (child === undefined) break;
      const other = heap[below + 1];
      if (other !== undefined && isWorse(other, child)) {
        child = other;
        below++;
      }
      if (!isWorse(child, hit)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = hit;
  }
}
