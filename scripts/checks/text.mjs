// What no file of the repository may hold: absolute paths of a machine, hosts of registries; and shapes that the house rules forbid.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../pnpm.mjs';
import { files, packages } from '../workspace.mjs';

const binary = /\.(bin|png|jpe?g|gif|pdf|docx?|pptx|xlsx?|od[tps]|epub|wasm|tgz|woff2?)$/;
const forbidden = [
  [/(?:^|[\s"'`(=])\/(?:root|home|Users)\/[\w.-]+/m, 'a path of one machine'],
  [/\/tmp\/(?!vernal)[\w.-]+/, 'a path of one machine'],
  [/https?:\/\/(?:registry\.|[\w.-]*(?:npmjs\.org|npmmirror|jfrog|nexus|verdaccio))/i, 'a registry host'],
  [/^\s*resolved:|tarball:\s*https?:/m, 'an address in a lock file'],
];

export default function text() {
  const problems = [];
  const own = join(root, 'scripts/checks/text.mjs');
  for (const path of files(root)) {
    if (binary.test(path) || path === own) continue;
    const content = readFileSync(path, 'utf8');
    for (const [pattern, what] of forbidden) {
      const found = pattern.exec(content);
      if (found) problems.push(`${relative(root, path)} holds ${what}: ${found[0].trim().slice(0, 60)}`);
    }
  }
  for (const one of packages()) {
    for (const path of files(one.path)) {
      const name = relative(root, path);
      if (!/\/src\/.*\.ts$/.test(path) || /\/generated\//.test(path)) continue;
      const content = readFileSync(path, 'utf8');
      const lines = content.split('\n').length;
      if (lines > 400) problems.push(`${name} has ${lines} lines; 400 is the most`);
      if (/(^|\/)(utils?|helpers?|common|misc)\.ts$/.test(name))
        problems.push(`${name}: name the concept that is in the file`);
      if (/^export \* /m.test(content)) problems.push(`${name}: exports are listed by name`);
      if (/^export default /m.test(content)) problems.push(`${name}: exports have names`);
    }
  }
  return problems;
}
