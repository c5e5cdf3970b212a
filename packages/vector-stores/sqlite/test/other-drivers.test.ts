import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DRIVER, DRIVER_VARIABLE, OTHER_DRIVERS } from './drivers.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** All tests of this folder, in a process that has one driver. */
async function testsOn(driver: string): Promise<{ readonly passed: number; readonly failed: readonly string[] }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_V8)/.test(name)));
  const run = spawn(
    process.execPath,
    [vitest, 'run', 'packages/vector-stores/sqlite/test/', '--reporter=json', '--coverage.enabled=false'],
    { cwd: root, env: { ...env, [DRIVER_VARIABLE]: driver }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, errors] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
  if (!out.includes('"numPassedTests"')) throw new Error(`the tests on ${driver} did not end: ${errors.slice(-2_000)}`);
  const { numPassedTests, testResults } = JSON.parse(out.slice(out.indexOf('{"num'))) as {
    readonly numPassedTests: number;
    readonly testResults: readonly {
      readonly name: string;
      readonly status: string;
      readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
    }[];
  };
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName);
    return status === 'failed' && tests.length === 0 ? [name] : tests;
  });
  return { passed: numPassedTests, failed };
}

describe.skipIf(DRIVER !== 'libsql')('all of these tests', () => {
  for (const { name, Database, reason } of OTHER_DRIVERS) {
    if (Database === undefined) it.skip(`pass on ${name}: ${reason}`);
    else
      it(`pass on ${name}`, { timeout: 180_000 }, async () => {
        const { passed, failed } = await testsOn(name);
        expect(failed).toEqual([]);
        expect(passed).toBeGreaterThan(250);
      });
  }
});
