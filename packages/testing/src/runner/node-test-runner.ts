import type { TestRunner } from './test-runner.js';

/** Takes node:test's module as it is. */
export declare function nodeTestRunner(nodeTest: {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (
    name: string,
    options: { readonly timeout?: number; readonly skip?: string },
    body: () => Promise<void>,
  ) => unknown;
  readonly after: (body: () => Promise<void>) => unknown;
}): TestRunner;
