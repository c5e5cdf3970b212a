// Writes a new package from its templates and puts it on the lists that name every package. Where a list can be derived, it is not here.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const templates = fileURLToPath(new URL('vector-store/', import.meta.url));

const pascal = (name) => name.replace(/(?:^|-)([a-z0-9])/g, (_, first) => first.toUpperCase());

/** The templates say `starter` where the package's name goes, and `Starter` in names of classes. */
function filled(text, name, className) {
  const camel = className[0].toLowerCase() + className.slice(1);
  return text
    .replace(/starter(?=[A-Z])/g, camel)
    .replaceAll('Starter', className)
    .replaceAll('starter', name);
}

function insertAfterLast(path, pattern, line) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findLastIndex((one) => pattern.test(one));
  if (at < 0) throw new Error(`${path} has no line like ${pattern}: put the package in by hand`);
  lines.splice(at + 1, 0, line);
  writeFileSync(path, lines.join('\n'));
}

/** Paths of all that was written or changed, relative to `root`. */
export function scaffoldVectorStore(root, name, className = pascal(name)) {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 30)
    throw new Error(`'${name}' is no name for a package: small letters and digits, with single dashes, at most 30`);
  if (!/^[A-Z][A-Za-z0-9]*$/.test(className)) throw new Error(`'${className}' is no name for a class: write DuckDb`);
  const folder = `packages/vector-stores/${name}`;
  if (existsSync(join(root, folder))) throw new Error(`${folder} is there already: delete it, or take another name`);

  const written = [];
  for (const entry of readdirSync(templates, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = `${folder}/${filled(source.slice(templates.length).replaceAll('\\', '/'), name, className)}`;
    mkdirSync(dirname(join(root, target)), { recursive: true });
    writeFileSync(join(root, target), filled(readFileSync(source, 'utf8'), name, className));
    written.push(target);
  }

  const id = `@vernal/vector-store-${name}`;
  const changeset = `.changeset/vector-store-${name}.md`;
  writeFileSync(
    join(root, changeset),
    `---\n'${id}': minor\n---\n\n\`${className}VectorStore\`: ${className} as a vector store.\n`,
  );
  insertAfterLast(
    join(root, 'docs/packages.json'),
    /"name": "@vernal\/vector-store(?:-[\w-]+)?"/,
    `  { "name": "${id}", "purpose": "${className}VectorStore: documents in ${className}.", "needs": "@vernal/core, @vernal/vector-store" },`,
  );
  insertAfterLast(
    join(root, 'README.md'),
    /\]\(packages\/vector-stores?[/)]/,
    `| [\`${id}\`](${folder}) | ${className} as a vector store |`,
  );
  return [...written, changeset, 'docs/packages.json', 'README.md'];
}
