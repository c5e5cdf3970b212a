// What a hello-world costs the type checker: instantiations against the built declarations, as an installed package shows them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pnpm.mjs';

const folder = join(root, 'packages', 'conformance', 'measure');

export default function instantiations(report = () => {}) {
  const problems = [];
  const budget = JSON.parse(readFileSync(join(folder, 'budget.json'), 'utf8'));
  const measured = new Map();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()) {
    const project = join(folder, `tsconfig.${file}.json`);
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
    const result = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', project, '--extendedDiagnostics', '--pretty', 'false'],
      { encoding: 'utf8' },
    );
    rmSync(project);
    if (result.status !== 0)
      problems.push(
        `${file}: ${result.stdout
          .split('\n')
          .filter((line) => line.includes('error'))
          .join('; ')}`,
      );
    measured.set(file, Number(/Instantiations:\s+(\d+)/.exec(result.stdout)?.[1]));
  }
  for (const [file, total] of measured) {
    if (file.startsWith('base-')) continue;
    const base = measured.get(file.replace(/^hello-/, 'base-'));
    const ours = base === undefined ? undefined : total - base;
    report(`${file}: ${total} instantiations${ours === undefined ? '' : `, ${ours} of them Vernal's`}`);
    if (!(total <= (budget.total[file] ?? Number.POSITIVE_INFINITY)))
      problems.push(`${file}: ${total} instantiations; the budget is ${budget.total[file]}`);
    if (ours !== undefined && !(ours <= budget.vernal))
      problems.push(`${file}: ${ours} instantiations are Vernal's; the budget is ${budget.vernal}`);
  }
  return problems;
}
