// What Vernal knows about itself, and what `npm start` asks it: from HTML, from Markdown and from plain text.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from './workspace.mjs';

/** The documentation and every package's README, relative to the top of the repository. */
export function ownDocuments() {
  const readmes = publicPackages().filter(({ path }) => existsSync(join(path, 'README.md')));
  return ['docs', ...readmes.map(({ folder }) => join(folder, 'README.md'))];
}

export const ownQuestions = [
  'How many times may one tool be called in a turn?',
  'What happens to the old store file when an ingest run is interrupted?',
  'Why does my process not end?',
];
