// `npm start`: installs, builds what is needed, and lets Vernal answer questions about itself from its own documents.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, root, run } from './pnpm.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Vernal needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

install();
const built = run('turbo', ['run', 'build', '--filter=@vernal/cli', '--output-logs=errors-only']);
if (built !== 0) process.exit(built);

/** README.md of every package. */
function readmes(folder, depth = 0) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name, 'README.md');
      return existsSync(path) ? [path] : depth < 1 ? readmes(join(folder, entry.name), depth + 1) : [];
    });
}

const docs = ['docs', ...readmes('packages')].flatMap((path) => ['--docs', path]);
const given = process.argv.slice(2);
const questions = [
  'How many times may one tool be called in a turn?',
  'What happens to the old store file when an ingest run is interrupted?',
  'Which package reads Markdown?',
];
process.exit(
  run(process.execPath, [
    join(root, 'packages/cli/dist/main.js'),
    'ask',
    ...docs,
    ...(given.length > 0 ? given : ['--chat', ...questions]),
  ]),
);
