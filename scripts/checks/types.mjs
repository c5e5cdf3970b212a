// Type-checks sources, tests and examples; the neutral packages without Node's types; and the dialect of legacy decorators.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../pnpm.mjs';

export default function types() {
  const problems = [];
  for (const project of [
    'tsconfig.json',
    'tsconfig.web.json',
    'packages/conformance/types/legacy/tsconfig.json',
    'packages/mcp/types/legacy/tsconfig.json',
  ]) {
    const result = spawnSync(
      process.execPath,
      [join(root, 'node_modules/tsgo/bin/tsc'), '-p', project, '--pretty', 'false'],
      { cwd: root, encoding: 'utf8' },
    );
    if (result.status !== 0)
      problems.push(
        ...`${result.stdout}${result.stderr}`
          .trim()
          .split('\n')
          .map((line) => `${project}: ${line}`),
      );
  }
  return problems;
}
