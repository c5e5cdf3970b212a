// Sizes that are promised: what a bundler makes of core and client-chat, and what npm puts on the disk for them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { pack } from '../pack.mjs';
import { root } from '../pnpm.mjs';

const KiB = 1024;
export const budgets = { bundleGzip: 60 * KiB, installed: 1.5 * 1000 * 1000, template: 12 * KiB };

async function bundleSize(name, source) {
  const folder = join(root, 'packages', 'conformance', 'node_modules', '.vernal-bundle');
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, `${name}.mjs`);
  writeFileSync(entry, source);
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['import', 'default'] },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  rmSync(folder, { recursive: true });
  const code = output.map((item) => (item.type === 'chunk' ? item.code : '')).join('');
  return { gzip: gzipSync(code).length, code };
}

export default async function budgetsCheck(report = () => {}) {
  const problems = [];
  const within = (what, size, limit) => {
    report(`${what}: ${(size / 1000).toFixed(1)} kB of ${(limit / 1000).toFixed(1)} kB`);
    if (size > limit) problems.push(`${what} is ${size} bytes; the budget is ${limit}`);
  };
  const chat = await bundleSize('chat', "export * from '@vernal/core';\nexport * from '@vernal/client-chat';\n");
  within('core and client-chat, bundled, minified and gzipped', chat.gzip, budgets.bundleGzip);
  const template = await bundleSize(
    'template',
    "import { PromptTemplate } from '@vernal/core';\nconsole.log(new PromptTemplate('{a}').render({ a: 1 }));\n",
  );
  within('one prompt template, bundled, minified and gzipped', template.gzip, budgets.template);
  let installed = 0;
  for (const one of pack().filter(({ name }) => name === '@vernal/core' || name === '@vernal/client-chat')) {
    const foreign = Object.keys(one.manifest.dependencies ?? {}).filter((name) => name !== '@vernal/core');
    if (foreign.length > 0)
      problems.push(`${one.name} depends on ${foreign.join(', ')}; it may depend on nothing but @vernal/core`);
    const list = execFileSync('tar', ['-tvzf', one.tarball], { encoding: 'utf8' });
    for (const line of list.trim().split('\n')) installed += Number(line.trim().split(/\s+/)[2]);
    if (statSync(one.tarball).size === 0) problems.push(`${one.tarball} is empty`);
  }
  within('core and client-chat, installed', installed, budgets.installed);
  return problems;
}
