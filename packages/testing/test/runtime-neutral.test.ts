import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)[^'"]*?from\s+['"]([^'"]+)['"]/gm;

/** Packages that a file needs as soon as it is loaded; types do not count, and neither do imports at run time. */
function packagesOf(file: URL, seen: Set<string> = new Set()): Set<string> {
  const found = new Set<string>();
  if (seen.has(file.href)) return found;
  seen.add(file.href);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    if (!specifier.startsWith('.')) found.add(specifier);
    else for (const one of packagesOf(new URL(specifier.replace(/\.js$/, '.ts'), file), seen)) found.add(one);
  }
  return found;
}

const source = (name: string): URL => new URL(`../src/${name}`, import.meta.url);

it.each(['index.ts', 'wires.ts'])('%s loads in any runtime', (name) => {
  const packages = [...packagesOf(source(name))];
  expect(packages).toContain('@vernal/core');
  expect(packages.filter((one) => !one.startsWith('@vernal/'))).toEqual([]);
});

it('the mock server is the part that needs Node', () => {
  expect([...packagesOf(source('mock-server.ts'))]).toContain('node:http');
});
