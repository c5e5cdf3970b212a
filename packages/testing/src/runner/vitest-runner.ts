import type { TestRunner } from './test-runner.js';

/** Takes vitest's module as it is: `vitestRunner(await import('vitest'))`. */
export declare function vitestRunner(vitest: {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: ((name: string, body: () => Promise<void>, timeout?: number) => unknown) & {
    readonly skip: (name: string, body: () => Promise<void>) => unknown;
  };
  readonly afterAll: (body: () => Promise<void>) => unknown;
}): TestRunner;
