// `npm start`: installs, builds what is needed, and lets Vernal answer questions about itself from its own documents.
import { join } from 'node:path';
import { ownDocuments, ownQuestions } from './own-documents.mjs';
import { install, root, run } from './pnpm.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Vernal needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

install();
const built = run('turbo', ['run', 'build', '--filter=@vernal/cli', '--output-logs=errors-only']);
if (built !== 0) process.exit(built);

const docs = ownDocuments().flatMap((path) => ['--docs', path]);
const given = process.argv.slice(2);
process.exit(
  run(process.execPath, [
    join(root, 'packages/cli/dist/main.js'),
    'ask',
    ...docs,
    ...(given.length > 0 ? given : ['--chat', ...ownQuestions]),
  ]),
);
