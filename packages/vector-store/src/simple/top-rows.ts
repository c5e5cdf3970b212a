/** The `limit` best of many scored rows: a heap whose root is the worst that is kept. Higher is better; NaN is never kept. */
export class TopRows {
  readonly #limit: number;
  readonly #scores: number[] = [];
  readonly #rows: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What a score must be above to be kept. */
  get bar(): number {
    return this.#scores.length < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? 0);
  }

  /** Everything of `scores` that is good enough; `sign` is -1 when lower is better. Row numbers start at `first`. */
  offerAll(scores: Float32Array, first: number, count: number, sign: 1 | -1): void {
    let bar = this.bar;
    for (let i = 0; i < count; i++) {
      const score = (scores[i] ?? 0) * sign;
      if (score > bar) {
        this.offer(score, first + i);
        bar = this.bar;
      }
    }
  }

  offer(score: number, row: number): void {
    if (!(score >= Number.NEGATIVE_INFINITY)) return;
    if (this.#scores.length < this.#limit) {
      this.#scores.push(score);
      this.#rows.push(row);
      this.#rise(this.#scores.length - 1);
    } else if (score > (this.#scores[0] ?? 0)) {
      this.#scores[0] = score;
      this.#rows[0] = row;
      this.#sink();
    }
  }

  /** In no order. */
  rows(): readonly number[] {
    return this.#rows;
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#score(parent) <= this.#score(index)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.#scores.length) return;
      const least = left + 1 < this.#scores.length && this.#score(left + 1) < this.#score(left) ? left + 1 : left;
      if (this.#score(index) <= this.#score(least)) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #score(index: number): number {
    return this.#scores[index] ?? 0;
  }

  #swap(a: number, b: number): void {
    [this.#scores[a], this.#scores[b]] = [this.#score(b), this.#score(a)];
    [this.#rows[a], this.#rows[b]] = [this.#rows[b] ?? 0, this.#rows[a] ?? 0];
  }
}
