// The pages that people read, and what of them can be checked: examples, links, headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './pnpm.mjs';
import { files, publicPackages } from './workspace.mjs';

/** [{ name, text }]: the guides, the pages at the top, every package's and every example's README; `name` is relative to the top. */
export function pages() {
  const guides = [...files(join(root, 'docs'))].map((path) => relative(root, path));
  const top = readdirSync(root).filter((file) => file.endsWith('.md'));
  const examples = readdirSync(join(root, 'examples')).map((folder) => join('examples', folder, 'README.md'));
  const readmes = publicPackages().map(({ folder }) => join(folder, 'README.md'));
  return [...top, ...guides, ...readmes, ...examples]
    .filter((name) => existsSync(join(root, name)))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

/** [{ language, code }] of the fenced blocks of a page. */
export function codeBlocks(text) {
  return Array.from(text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm), ([, language, code]) => ({ language, code }));
}

/** What an example says that it prints: the texts behind its `// →`. */
export function promisedLines(code) {
  return Array.from(code.matchAll(/\/\/ → (.*)$/gm), ([, line]) => line.trim());
}

/** Packages that the code imports, without those of Node.js and its own files. */
export function importedPackages(code) {
  const specifiers = Array.from(
    code.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)';$|^import '([^']+)';$/gm),
    (match) => match[1] ?? match[2],
  );
  const foreign = specifiers.filter((specifier) => !specifier.startsWith('node:') && !specifier.startsWith('.'));
  return [
    ...new Set(
      foreign.map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    ),
  ];
}

/** Targets of links and images in Markdown and HTML, outside of code. */
export function links(text) {
  const prose = text.replace(/^```.*\n[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, 'code');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)[^)]*\)|\b(?:href|src)="([^"]+)"/g), (match) => match[1] ?? match[2]);
}

/** What a link may name behind `#`: the headings as GitHub spells them, and the ids of HTML. */
export function anchors(text) {
  const prose = text.replace(/^```.*\n[\s\S]*?^```$/gm, '');
  const headings = Array.from(prose.matchAll(/^#{1,6} (.*)$/gm), ([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...Array.from(text.matchAll(/\bid="([^"]+)"/g), ([, id]) => id)];
}
