// `npm run pack:all`: builds every public package and packs it into .vernal/packed/, for programs that use a clone before the first release.
import { join, relative } from 'node:path';
import { pack } from './pack.mjs';
import { install, root, run } from './pnpm.mjs';

install();
const built = run('turbo', ['run', 'build', '--output-logs=errors-only']);
if (built !== 0) process.exit(built);

const packages = pack();
for (const { name, tarball } of packages) console.log(`${name}  ${relative(root, tarball)}`);
// Shells of Windows do not expand the stars.
const files =
  process.platform === 'win32'
    ? packages.map(({ tarball }) => `"${tarball}"`).join(' ')
    : `"${join(root, '.vernal', 'packed')}"/*/*.tgz`;
console.log(`\n${packages.length} packages. In the folder of your program:\nnpm install ${files}`);
