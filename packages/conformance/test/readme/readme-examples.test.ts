import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import * as mockServer from '@vernal/testing/mock-server';
import * as wires from '@vernal/testing/wires';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ExampleServer, exampleServer } from '../../../../scripts/example-server.mjs';
import { readmeExamples } from '../../../../scripts/readme-examples.mjs';

// The folder lies in this package, because this package has every other one among its dependencies.
const folder = fileURLToPath(new URL(`../../.readme-examples/${process.pid}/`, import.meta.url));
const examples = readmeExamples();
const fileOf = (name: string): string => join(folder, `${name.replace('@vernal/', '')}.ts`);

let server: ExampleServer;
beforeAll(async () => {
  server = await exampleServer(mockServer, wires);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const example of examples) writeFileSync(fileOf(example.name), example.code);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("the example of every package's README", () => {
  it('exists', () => {
    expect(examples.length).toBeGreaterThanOrEqual(14);
  });

  it('compiles', { timeout: 120_000 }, () => {
    const program = ts.createProgram(
      examples.map((example) => fileOf(example.name)),
      {
        target: ts.ScriptTarget.ES2022,
        lib: [
          'lib.es2023.d.ts',
          'lib.esnext.disposable.d.ts',
          'lib.dom.d.ts',
          'lib.dom.iterable.d.ts',
          'lib.dom.asynciterable.d.ts',
        ],
        types: ['node'],
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        customConditions: ['@vernal/source'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        noEmit: true,
      },
    );
    const messages = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const where = diagnostic.file?.fileName.replace(/.*\.readme-examples\/\d+\//, '') ?? '';
      return `${where}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
    });
    expect(messages).toEqual([]);
  });

  it.each(examples)('of $name runs and prints what it says', async ({ name, prints }) => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(format(...values));
    });
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    await import(pathToFileURL(fileOf(name)).href);
    vi.restoreAllMocks();
    const whole = printed.join('\n');
    expect(prints.length).toBeGreaterThan(0);
    for (const text of prints) expect(whole).toContain(text);
  });
});
