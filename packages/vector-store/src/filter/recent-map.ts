/** Remembers a bounded number of entries; the one that was not asked for the longest goes first. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  /** The one that goes first comes first. Setting an entry meanwhile is no harm. */
  entries(): readonly (readonly [K, V])[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries.clear();
  }
}
