// A package whose sources changed since its last release needs a changeset that names it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pnpm.mjs';
import { publicPackages } from '../workspace.mjs';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

export default function changesets() {
  const named = readdirSync(join(root, '.changeset'))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => readFileSync(join(root, '.changeset', file), 'utf8').split('---')[1] ?? '')
    .join('\n');
  const problems = [];
  for (const { folder, name } of publicPackages()) {
    const released = git('log', '-1', '--format=%H', '--', `${folder}/CHANGELOG.md`);
    const changed =
      released === '' ||
      git('log', '--format=%H', `${released}..HEAD`, '--', `${folder}/src`, `${folder}/package.json`) !== '';
    if (changed && !named.includes(`'${name}'`) && !named.includes(`"${name}"`))
      problems.push(`${name} changed and no changeset names it: run pnpm changeset`);
  }
  return problems;
}
