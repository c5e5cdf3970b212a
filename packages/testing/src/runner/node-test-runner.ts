import type { TestRunner } from './test-runner.js';

/** What is used of node:test. */
export interface NodeTestModule {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (
    name: string,
    options: { readonly timeout?: number; readonly skip?: string },
    body: () => Promise<void>,
  ) => unknown;
  readonly after: (body: () => Promise<void>) => unknown;
}

/** Takes node:test's module as it is: `nodeTestRunner(await import('node:test'))`. */
export function nodeTestRunner(nodeTest: NodeTestModule): TestRunner {
  return {
    describe(name, body) {
      nodeTest.describe(name, body);
    },
    it(name, body, options) {
      nodeTest.it(name, options?.timeout === undefined ? {} : { timeout: options.timeout }, body);
    },
    skip(name, reason) {
      nodeTest.it(`skipped, ${reason}: ${name}`, { skip: reason }, async () => {});
    },
    afterAll(body) {
      nodeTest.after(body);
    },
  };
}
