/** Calls without a word until a tool counts as one that tells no progress. */
const SILENT_CALLS = 3;

/**
 * Which tools are asked to tell their progress although nobody listens, so that a long call is not given up while it moves. Being asked
 * costs a server about a quarter of a short call, so those that never told any are spared it.
 */
export class ProgressHabits {
  /** How often a tool was asked and said nothing. */
  readonly #silent = new Map<string, number>();

  asks(tool: string): boolean {
    return (this.#silent.get(tool) ?? 0) < SILENT_CALLS;
  }

  /** What a call showed that was asked. */
  note(tool: string, told: boolean): void {
    const silent = this.#silent.get(tool) ?? 0;
    if (told) this.#silent.set(tool, Number.NEGATIVE_INFINITY);
    else if (silent < SILENT_CALLS) this.#silent.set(tool, silent + 1);
  }

  /** A call was given up: it may have been one that would have told. */
  late(tool: string): void {
    this.#silent.delete(tool);
  }

  /** Another server may have taken the place of the one before. */
  forget(): void {
    this.#silent.clear();
  }
}
