import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describeVectorStore, type SuiteReport, type TestRunner } from '@vernal/testing';
import type { ObservedVectorStoreOptions, VectorStore } from '@vernal/vector-store';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scaffoldVectorStore } from '../../../../scripts/new/scaffold.mjs';

const top = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = 'packages/vector-stores/zeta-db';

interface Scaffolded {
  readonly ZetaDbVectorStore: new (
    options: ObservedVectorStoreOptions & { client: object; collection: string },
  ) => VectorStore;
}

/** A top of a repository: what the scaffold edits, and what the package imports. */
function emptyRepository(): string {
  const root = mkdtempSync(join(tmpdir(), 'vernal-new-'));
  const copied = ['README.md', 'docs/packages.json', 'tsconfig.base.json', '.changeset/README.md', 'biome.json'];
  for (const path of [...copied, 'scripts/suite-report.mjs', 'scripts/suite-report.d.mts'])
    cpSync(join(top, path), join(root, path));
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(top, 'packages/conformance/node_modules/@vernal'), join(root, 'node_modules/@vernal'), 'junction');
  for (const name of ['vitest', '@types'])
    symlinkSync(join(top, 'node_modules', name), join(root, 'node_modules', name), 'junction');
  return root;
}

let root: string;
let written: string[];
beforeAll(() => {
  root = emptyRepository();
  written = scaffoldVectorStore(root, 'zeta-db');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('pnpm new vector-store', () => {
  it('writes every part, under its own name', () => {
    for (const part of ['client', 'vector-store-options', 'filter', 'vector-store'])
      expect(written).toContain(`${folder}/src/zeta-db-${part}.ts`);
    for (const path of ['package.json', 'tsconfig.json', 'README.md', 'test/zeta-db-vector-store.suite.test.ts'])
      expect(written).toContain(`${folder}/${path}`);
    for (const path of written.filter((one) => one.startsWith(folder)))
      expect(path + read(path)).not.toMatch(/starter/i);
  });

  it('puts it on the lists that name every package', () => {
    expect(read('README.md')).toContain(`| [\`@vernal/vector-store-zeta-db\`](${folder}) |`);
    const listed: { readonly name: string; readonly needs: string }[] = JSON.parse(read('docs/packages.json'));
    expect(listed.find(({ name }) => name === '@vernal/vector-store-zeta-db')?.needs).toBe(
      '@vernal/core, @vernal/vector-store',
    );
    expect(read('.changeset/vector-store-zeta-db.md')).toMatch(/^---\n'@vernal\/vector-store-zeta-db': minor\n---\n/);
  });

  it('is formatted and free of lint once biome has seen it', { timeout: 180_000 }, () => {
    const biome = (...args: string[]) =>
      spawnSync(process.execPath, [join(top, 'node_modules/@biomejs/biome/bin/biome'), ...args, folder], {
        cwd: root,
        encoding: 'utf8',
      });
    biome('check', '--write', '--vcs-enabled=false');
    const { status, stderr, stdout } = biome('ci', '--vcs-enabled=false');
    expect(status === 0 ? '' : stdout + stderr).toBe('');
  });

  it('compiles, its test too', { timeout: 180_000 }, () => {
    const { config } = ts.readConfigFile(join(top, 'tsconfig.json'), ts.sys.readFile);
    const files = written.filter((path) => path.endsWith('.ts')).map((path) => join(root, path));
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, top);
    const program = ts.createProgram(files, { ...options, typeRoots: [join(root, 'node_modules/@types')] });
    const found = files.flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    });
    expect(
      [...program.getOptionsDiagnostics(), ...found].map((one) =>
        ts.flattenDiagnosticMessageText(one.messageText, ' '),
      ),
    ).toEqual([]);
  });

  it('fails the suite where the engine is missing, and nowhere else', { timeout: 180_000 }, async () => {
    const { ZetaDbVectorStore }: Scaffolded = await import(pathToFileURL(join(root, folder, 'src/index.ts')).href);
    const cases: (() => Promise<void>)[] = [];
    const ends: (() => Promise<void>)[] = [];
    const runner: TestRunner = {
      describe: (_name, body) => body(),
      it: (_name, body) => void cases.push(body),
      skip: () => {},
      afterAll: (body) => void ends.push(body),
    };
    let report: SuiteReport | undefined;
    describeVectorStore(
      'scaffolded',
      ({ embeddingModel, collection }) => ({
        subject: new ZetaDbVectorStore({ client: {}, embeddingModel, collection }),
      }),
      {
        runner,
        onReport: (one) => {
          report = one;
        },
      },
    );
    for (const one of cases) await one().catch(() => {});
    for (const end of ends) await end();
    const failed = (report?.cases ?? []).filter(({ outcome }) => outcome === 'fail');
    expect(failed.length).toBeGreaterThan(50);
    expect(failed.filter(({ reason = '' }) => !reason.includes('not written yet'))).toEqual([]);
    expect(report?.cases.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(3);
  });

  it('takes another name for its classes', () => {
    const paths = scaffoldVectorStore(root, 'quack2', 'DuckDb');
    expect(read('packages/vector-stores/quack2/src/index.ts')).toContain(
      "{ DuckDbVectorStore } from './quack2-vector-store.js'",
    );
    expect(read('packages/vector-stores/quack2/src/quack2-error.ts')).toContain('function duckDbError(');
    expect(paths).toContain('.changeset/vector-store-quack2.md');
  });

  it.each(['Zeta', 'zeta_db', '-zeta', 'zeta--db', '../zeta', '2zeta', '', 'z'.repeat(31)])(
    'refuses the name %j',
    (name) => {
      expect(() => scaffoldVectorStore(root, name)).toThrow(/no name for a package/);
      expect(existsSync(join(root, 'packages/vector-stores', name, 'package.json'))).toBe(false);
    },
  );

  it('refuses what is there already, and class names that are none', () => {
    expect(() => scaffoldVectorStore(root, 'zeta-db')).toThrow(/is there already/);
    expect(() => scaffoldVectorStore(root, 'omega', 'omega db')).toThrow(/no name for a class/);
  });
});
