import type { TestRunner } from './test-runner.js';

/** What is used of vitest. */
export interface VitestModule {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: ((name: string, body: () => Promise<void>, timeout?: number) => unknown) & {
    readonly skip: (name: string, body: () => Promise<void>) => unknown;
  };
  readonly afterAll: (body: () => Promise<void>) => unknown;
}

/** Takes vitest's module as it is: `vitestRunner(await import('vitest'))`. */
export function vitestRunner(vitest: VitestModule): TestRunner {
  return {
    describe(name, body) {
      vitest.describe(name, body);
    },
    it(name, body, options) {
      vitest.it(name, body, options?.timeout);
    },
    skip(name, reason) {
      vitest.it.skip(`skipped, ${reason}: ${name}`, async () => {});
    },
    afterAll(body) {
      vitest.afterAll(body);
    },
  };
}
