import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { anchors, codeBlocks, importedPackages, links, pages } from '../../../../scripts/pages.mjs';
import { files, publicPackages } from '../../../../scripts/workspace.mjs';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const all = pages();
const packages = publicPackages();
const textOf = (name: string): string => all.find((page) => page.name === name)?.text ?? '';

/** Rows of the table below a heading, without its head; cells without their spaces. */
function rows(text: string, heading: string): string[][] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Names in backticks, with or without `@` and parentheses. */
function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`@?(\w+)(?:\(\))?`/g), ([, name = '']) => name);
}

/** An index lists what it exports by name. */
function exportedNames(index: string): string[] {
  const { statements } = ts.createSourceFile(index, readFileSync(index, 'utf8'), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
    return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [];
  });
}

describe('the pages', () => {
  it.each(all)('$name has links that lead somewhere', ({ name, text }) => {
    const dead = links(text)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? name : normalize(join(dirname(name), path));
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !anchors(textOf(target)).includes(anchor);
      });
    expect(dead).toEqual([]);
  });

  it('at the top lists every package', () => {
    const listed = links(textOf('README.md'));
    expect(packages.map(({ folder }) => folder).filter((folder) => !listed.includes(folder))).toEqual([]);
  });

  it('of the guides say what each package needs', () => {
    const described: { readonly name: string; readonly needs: string }[] = JSON.parse(textOf('docs/packages.json'));
    expect(described.map(({ name }) => name).sort()).toEqual(packages.map(({ name }) => name));
    const needs = (name: string): string[] =>
      [...(described.find((one) => one.name === name)?.needs ?? '').matchAll(/@vernal\/[\w-]+(\*?)/g)].flatMap(
        ([found, star]) =>
          star === '*' ? packages.map((one) => one.name).filter((one) => one.startsWith(found.slice(0, -1))) : found,
      );
    const wrong = packages.filter(({ name, manifest }) => {
      const own = Object.keys(manifest.dependencies ?? {}).filter((dependency) => dependency.startsWith('@vernal/'));
      const others = packages.map((one) => one.name).filter((one) => one !== name && !own.includes(one));
      // The command needs nearly all: there it is said what it does not need.
      return needs(name).sort().join() !== (name === '@vernal/cli' ? others : own).sort().join();
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('the README', () => {
  it.each(packages)('of $name has the parts that every one has', ({ name, folder }) => {
    const text = textOf(join(folder, 'README.md'));
    const blocks = codeBlocks(text);
    const install = blocks.find(({ language }) => language === 'sh')?.code ?? '';
    const example = blocks.find(({ language }) => language === 'ts')?.code ?? '';
    expect(text.startsWith(`# ${name}\n\n`)).toBe(true);
    expect(importedPackages(example).filter((one) => !install.split(/\s+/).includes(one))).toEqual([]);
    expect(text).toMatch(/^\| .*\boption\b.* \| default \| meaning \|$/m);
    expect(text).toMatch(/^## Needs$/m);
    expect(text).toMatch(/^## Limits$/m);
    expect(links(text).some((link) => /^(\.\.\/)+docs\//.test(link))).toBe(true);
  });
});

describe('the page about parity', () => {
  const parity = textOf('docs/parity.md');

  it('lists as here what is in the repository, and as planned what is not', () => {
    const names = new Set(packages.map(({ name }) => name));
    const wrong = rows(parity, 'Modules').filter(([, where = '', state = '']) => {
      const named = [...where.matchAll(/@vernal\/[\w*-]+/g)]
        .map(([name]) => name)
        .filter((name) => !name.includes('*'));
      const missing = named.filter((name) => !names.has(name));
      return missing.length > 0 ? !state.includes('planned') : named.length > 0 && !state.includes('here');
    });
    expect(rows(parity, 'Modules').length).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });

  it('names only what the packages export', () => {
    const entries = (path: string): string[] =>
      readdirSync(join(path, 'src')).filter((name) => /^(?:index|advisors|node)\.ts$/.test(name));
    const exported = new Set(
      packages.flatMap(({ path }) => entries(path).flatMap((name) => exportedNames(join(path, 'src', name)))),
    );
    // The same name as in Spring AI, or one of its own. What is left out here is a member or an expression.
    const named = rows(parity, 'Names').flatMap(([spring = '', here = '']) =>
      namesIn(here.startsWith('the same') ? spring : here),
    );
    const values = new Set([
      'build',
      'entity',
      'with',
      'stream',
      'call',
      'capabilities',
      'promptFilters',
      'role',
      'format',
      'convertResult',
      'eligible',
      'throwOnError',
      'AsyncIterable',
    ]);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !exported.has(name) && !values.has(name))).toEqual([]);
  });

  it('names tests that are there', () => {
    const named = Array.from(
      parity.matchAll(/\]\(\.\.\/(packages\/[^)]+\.test\.ts)\) `([^`]+)`/g),
      ([, file = '', title = '']) => ({
        file,
        title,
      }),
    );
    const sources = new Map<string, string>();
    const sourceOf = (file: string): string => {
      const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
      sources.set(file, source);
      return source;
    };
    const suites = [...files(join(root, 'packages/testing/src/suites'))]
      .map((path) => sourceOf(relative(root, path)))
      .join('\n');
    // A case of a suite is named by its id and what it shows; some are made of a list.
    const isCase = (id: string, text: string): boolean =>
      suites.includes(`'${id}'`) ? suites.includes(text) : suites.includes(`\`${id.replace(/\.[\w-]+$/, '.${')}`);
    const missing = named.filter(({ file, title }) => {
      const [, id, text = ''] = /^(\w+(?:\.[\w-]+)+): (.*)$/.exec(title) ?? [];
      return !(id === undefined ? sourceOf(file).includes(title) : isCase(id, text));
    });
    expect(named.length).toBeGreaterThan(500);
    expect(missing).toEqual([]);
  });
});

it('the README of @vernal/core names only what it exports', () => {
  const exported = ['index.ts', 'adapter.ts', 'json-schema.ts'].flatMap((entry) =>
    exportedNames(join(root, 'packages/core/src', entry)),
  );
  const named = rows(textOf('packages/core/README.md'), 'What is in it').flatMap(([, names = '']) => namesIn(names));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !exported.includes(name))).toEqual([]);
});
