// `pnpm check`: everything that is not a test. Names of checks as arguments run only those.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, install, root, run } from './pnpm.mjs';

install();
const tool = (command, args) => () => {
  const result = spawnSync(command, args, { cwd: root, env: { ...env(), NO_COLOR: '1' }, encoding: 'utf8' });
  return result.status === 0 ? [] : [`${result.stdout}${result.stderr}`.trim()];
};
const load = (name) => async (report) => (await import(`./checks/${name}.mjs`)).default(report);

const checks = {
  lint: tool('biome', ['ci', '--colors=off', '.']),
  types: load('types'),
  arrows: load('arrows'),
  'package-shape': load('package-shape'),
  text: load('text'),
  tsdoc: load('tsdoc'),
  changesets: load('changesets'),
  knip: tool('knip', ['--no-progress']),
  build: () => (run('turbo', ['run', 'build', '--output-logs=errors-only']) === 0 ? [] : ['the build fails']),
  publint: load('publint'),
  attw: load('attw'),
  budgets: load('budgets'),
  instantiations: load('instantiations'),
  'install-scripts': load('install-scripts'),
};

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'));
for (const name of wanted)
  if (!(name in checks)) throw new Error(`there is no check '${name}'; there are ${Object.keys(checks).join(', ')}`);
const results = [];
for (const [name, check] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const notes = [];
  const started = performance.now();
  const problems = await check((note) => notes.push(note));
  results.push({ name, problems });
  console.log(
    `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  for (const note of notes) console.log(`     ${note}`);
  for (const problem of problems) console.log(`     ${problem.replaceAll('\n', '\n     ')}`);
}
const failed = results.filter((one) => one.problems.length > 0).length;
mkdirSync(join(root, '.vernal'), { recursive: true });
writeFileSync(join(root, '.vernal', 'check-results.json'), JSON.stringify({ passed: results.length - failed, failed }));
console.log(`checks: ${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
