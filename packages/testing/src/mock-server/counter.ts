/** A number that only grows, and those who wait for it. */
export class Counter {
  #value = 0;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  get value(): number {
    return this.#value;
  }

  add(): void {
    this.#value++;
    const ready = this.#waiting.filter(({ count }) => count <= this.#value);
    this.#waiting = this.#waiting.filter(({ count }) => count > this.#value);
    for (const { resolve } of ready) resolve();
  }

  /** Resolves once the number is at least `count`. */
  reaches(count: number): Promise<void> {
    if (this.#value >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }
}
