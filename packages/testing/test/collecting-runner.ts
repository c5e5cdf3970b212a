import type { SuiteReport, TestRunner } from '@vernal/testing';

/** A runner that keeps what is registered and runs it when it is told. */
export class CollectingRunner implements TestRunner {
  readonly failures: string[] = [];
  readonly names: string[] = [];
  readonly #tests: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  readonly #after: (() => Promise<void>)[] = [];

  describe(name: string, body: () => void): void {
    this.names.push(name);
    body();
  }
  it(name: string, body: () => Promise<void>): void {
    this.#tests.push({ name, body });
  }
  skip(name: string, reason: string): void {
    this.names.push(`${name} (${reason})`);
  }
  afterAll(body: () => Promise<void>): void {
    this.#after.push(body);
  }

  /** Ids of the cases that failed, of those whose name starts with one of `only`. */
  async run(...only: readonly string[]): Promise<string[]> {
    const failed: string[] = [];
    for (const { name, body } of this.#tests) {
      if (only.length > 0 && !only.some((prefix) => name.startsWith(prefix))) continue;
      try {
        await body();
      } catch (error) {
        failed.push(name.slice(0, name.indexOf(':')));
        this.failures.push(String(error));
      }
    }
    for (const body of this.#after) await body();
    return failed;
  }
}

/** The outcome of each case. */
export function outcomes(report: SuiteReport | undefined): Record<string, string> {
  return Object.fromEntries((report?.cases ?? []).map((one) => [one.id, one.outcome]));
}
