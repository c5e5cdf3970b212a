import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import ts from 'typescript';
import { vi } from 'vitest';
import { publicPackages } from '../../../../scripts/workspace.mjs';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A folder for examples as files, in which every package can be imported, and what a package is tested with, such as its driver. It lies in this
 * package for what the examples need besides.
 */
export class ExampleFiles {
  readonly #folder: string;

  /** `name` is unique: suites run at the same time. */
  constructor(name: string) {
    this.#folder = join(PACKAGE, '.readme-examples', `${process.pid}-${name}`);
    this.remove();
    mkdirSync(this.#folder, { recursive: true });
    for (const { name, path, manifest } of publicPackages()) {
      this.#link(name, path);
      for (const tool of Object.keys(manifest.devDependencies ?? {}))
        this.#link(tool, join(path, 'node_modules', tool));
    }
  }

  /** What this package has itself is found without. */
  #link(name: string, target: string): void {
    const link = join(this.#folder, 'node_modules', name);
    if (existsSync(link) || existsSync(join(PACKAGE, 'node_modules', name)) || !existsSync(target)) return;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, 'junction');
  }

  write(name: string, code: string): void {
    // Without an import or export a file would share its names with all others.
    writeFileSync(this.#path(name), `${code}export {};\n`);
  }

  /** What the compiler has to say against these examples, all of them in one program. */
  typeErrors(names: readonly string[]): string[] {
    const program = ts.createProgram(
      names.map((name) => this.#path(name)),
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
    // Only of the examples: the sources that they import have a check of their own.
    const found = names.flatMap((name) => {
      const file = program.getSourceFile(this.#path(name));
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    });
    return [...program.getOptionsDiagnostics(), ...found].map(({ file, start, messageText }) => {
      const line = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      const where = file?.fileName.split('/').at(-1) ?? '';
      return `${where}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  }

  /** Runs an example and gives what it printed. */
  async run(name: string): Promise<string> {
    const printed: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(format(...values));
    });
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    try {
      await import(pathToFileURL(this.#path(name)).href);
    } finally {
      log.mockRestore();
      write.mockRestore();
    }
    return printed.join('\n');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return join(this.#folder, `${name.replace(/[^\w.-]+/g, '-')}.ts`);
  }
}
