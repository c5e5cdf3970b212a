/** What a suite needs of a test runner. No assertion library: the suites bring their own. */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>, options?: { /** Milliseconds. */ readonly timeout?: number }): void;
  /** Reported as skipped, with the reason in the name and before the rest of it, so that a long name cannot hide it. */
  skip(name: string, reason: string): void;
  afterAll(body: () => Promise<void>): void;
}
