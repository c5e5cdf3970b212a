// What Vernal knows about itself, and what `npm start` asks it: from HTML, from Markdown and from plain text.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './pnpm.mjs';
import { files, publicPackages } from './workspace.mjs';

/** The pages of docs/ and every package's README, relative to the top of the repository; not the tables of parity, which answer nothing. */
export function ownDocuments() {
  const guides = [...files(join(root, 'docs'))].map((path) => relative(root, path));
  const readmes = publicPackages().filter(({ path }) => existsSync(join(path, 'README.md')));
  return [
    ...guides.filter((path) => !/\bparity[\w-]*\.md$/.test(path)),
    ...readmes.map(({ folder }) => join(folder, 'README.md')),
  ];
}

export const ownQuestions = [
  'How many times may one tool be called in a turn?',
  'What happens to the old store file when an ingest run is interrupted?',
  'Why does my process not end?',
];
