import ts from 'typescript';
import { defineConfig, type Plugin } from 'vitest/config';

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

export default defineConfig({
  plugins: [lowerDecorators],
  resolve: { conditions: ['@vernal/source', 'node', 'import', 'default'] },
  ssr: {
    resolve: {
      conditions: ['@vernal/source', 'node', 'import', 'default'],
      externalConditions: ['@vernal/source', 'node', 'import', 'default'],
    },
  },
  test: {
    include: ['packages/**/test/**/*.test.ts', 'examples/**/test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    pool: 'threads',
    // Importing a package has no side effects, so files of tests can share what was imported: half the time.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
