import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { defineConfig, type Plugin } from 'vitest/config';
import { bundleProgram } from './scripts/bundle-program.mjs';

/** vite hands stage-3 decorators through and Node 20 cannot parse them: files that hold one are lowered by TypeScript first. */
const lowerDecorators: Plugin = {
  name: 'lower-decorators',
  enforce: 'pre',
  transform(code, id) {
    if (!/\.ts($|\?)/.test(id) || id.includes('/node_modules/') || !/^\s*@[A-Za-z]\w*[\s(]/m.test(code))
      return undefined;
    const result = ts.transpileModule(code, {
      fileName: id,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        sourceMap: true,
        verbatimModuleSyntax: true,
      },
    });
    return { code: result.outputText, map: result.sourceMapText ?? null };
  },
};

const WORKER_URL = /new URL\('\.\/([\w-]+)\.js', import\.meta\.url\)/;

/** A thread is started from a file that Node.js runs by itself: tests get it bundled from the sources, as the build does for users. */
const workersFromSource: Plugin = {
  name: 'workers-from-source',
  enforce: 'pre',
  async transform(code, id) {
    const [address, name] = WORKER_URL.exec(code) ?? [];
    const source = join(dirname(id), `${name}.ts`);
    if (address === undefined || !/\/src\/[^/]+\.ts$/.test(id) || !existsSync(source)) return undefined;
    const program = pathToFileURL(await bundleProgram(source)).href;
    return { code: code.replace(address, `new URL('${program}')`), map: null };
  },
};

const TESTS = ['packages/**/test/**/*.test.ts', 'examples/**/test/**/*.test.ts'];
const NO_TESTS = ['**/node_modules/**', '**/dist/**'];
/** Their drivers go on trying to reach servers that tests have killed: each file has a process that ends with it. */
const LEFTOVERS = ['packages/memory/cassandra/test/**/*.test.ts', 'packages/memory/redis/test/**/*.test.ts'];

export default defineConfig({
  plugins: [lowerDecorators, workersFromSource],
  resolve: { conditions: ['@vernal/source', 'node', 'import', 'default'] },
  ssr: {
    resolve: {
      // Node.js adds 'import' or 'require' by itself; naming one here would hold where the other is meant.
      conditions: ['@vernal/source', 'node'],
      externalConditions: ['@vernal/source', 'node'],
    },
  },
  test: {
    environment: 'node',
    // Processes, as in applications: a run in threads once ended natively, and nobody knows why. Two, for much of the time tests wait for servers and for other processes.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: TESTS,
          exclude: [...NO_TESTS, ...LEFTOVERS],
          // Importing a package has no side effects, so files of tests can share what was imported: half the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: LEFTOVERS, exclude: NO_TESTS, isolate: true } },
    ],
  },
});
