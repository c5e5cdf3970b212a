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

  /** Best first; of equal scores the lower row. */
  sorted(): { readonly row: number; readonly score: number }[] {
    return this.#rows
      .map((row, i) => ({ row, score: this.#score(i) }))
      .sort((a, b) => b.score - a.score || a.row - b.row);
  }

  #rise(start: number): void {
    const score = this.#score(start);
    const row = this.#rows[start] ?? 0;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#score(parent) <= score) break;
      this.#place(index, this.#score(parent), this.#rows[parent] ?? 0);
      index = parent;
    }
    this.#place(index, score, row);
  }

  #sink(): void {
    const size = this.#scores.length;
    const score = this.#score(0);
    const row = this.#rows[0] ?? 0;
    let index = 0;
    for (;;) {
      let least = 2 * index + 1;
      if (least >= size) break;
      if (least + 1 < size && this.#score(least + 1) < this.#score(least)) least++;
      if (score <= this.#score(least)) break;
      this.#place(index, this.#score(least), this.#rows[least] ?? 0);
      index = least;
    }
    this.#place(index, score, row);
  }

  #score(index: number): number {
    return this.#scores[index] ?? 0;
  }

  #place(index: number, score: number, row: number): void {
    this.#scores[index] = score;
    this.#rows[index] = row;
  }
}
