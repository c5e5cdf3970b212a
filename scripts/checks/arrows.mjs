// Who may import whom. ARCHITECTURE.md draws the same table; this check holds the imports to it, and the drawing to the imports.
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../pnpm.mjs';
import { files, packages } from '../workspace.mjs';

const core = ['core'];
const retrieval = ['core', 'client-chat', 'vector-store'];
/** By folder below packages/; a star stands for one level. */
export const allowed = {
  core: [],
  tokenizer: core,
  node: core,
  'client-chat': core,
  'template-st': core,
  'models/*': core,
  'readers/*': core,
  'vector-store': ['core', 'tokenizer'],
  'vector-stores/*': ['core', 'vector-store', 'sql'],
  'memory/*': ['core', 'sql'],
  sql: core,
  etl: ['core', 'tokenizer', 'sql'],
  'etl-bullmq': ['core', 'etl'],
  rag: retrieval,
  evaluation: ['core', 'client-chat'],
  mcp: retrieval,
  'advisors/*': [...retrieval, 'rag'],
  testing: retrieval,
  cli: ['*'],
  conformance: ['*'],
};
/** Packages that run anywhere: nothing from Node.js. */
const neutral = new Set([
  'core',
  'client-chat',
  'template-st',
  'vector-store',
  'sql',
  'etl',
  'tokenizer',
  'rag',
  'evaluation',
  'advisors/vector-store',
  'advisors/tool-search',
  'readers/markdown',
  'readers/html',
  'readers/office',
  'readers/pdf',
]);

const folderOf = (one) => one.folder.replace(/^packages\//, '');
const ruleOf = (folder) => allowed[folder] ?? allowed[folder.replace(/\/[^/]+$/, '/*')];
const builtins = new Set(builtinModules);

export function imports(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, false);
  const found = [];
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push(node.moduleSpecifier.text);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) found.push(node.argument.literal.text);
    else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] &&
      ts.isStringLiteral(node.arguments[0])
    )
      found.push(node.arguments[0].text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** By entry of a package, such as '@vernal/testing/wires': the files that it reaches by relative paths. */
function reachOf(one) {
  const reach = new Map();
  for (const [entry, target] of Object.entries(one.manifest.exports ?? {})) {
    if (typeof target !== 'object' || target['@vernal/source'] === undefined) continue;
    const reached = new Set();
    const visit = (path) => {
      if (reached.has(path) || !existsSync(path)) return;
      reached.add(path);
      for (const specifier of imports(path))
        if (specifier.startsWith('.')) visit(join(dirname(path), specifier.replace(/\.js$/, '.ts')));
    };
    visit(join(one.path, target['@vernal/source']));
    reach.set(one.name + entry.slice(1), reached);
  }
  return reach;
}

/** Undefined: `path` may import an entry of its own package by name, for it belongs to another one that has no file in common with it. */
function faultOfSelfImport(path, specifier, reach) {
  const named = reach.get(specifier);
  if (named === undefined || named.has(path)) return 'a package imports its own files by relative paths';
  for (const [entry, reached] of reach) {
    const shared = reached.has(path) ? [...reached].find((file) => named.has(file)) : undefined;
    if (shared !== undefined) return `${relative(root, shared)} would be in ${entry} and in ${specifier}`;
  }
  return undefined;
}

export default function arrows() {
  const problems = [];
  const all = packages();
  const folderByName = new Map(all.map((one) => [one.name, folderOf(one)]));
  const seen = new Map();
  for (const one of all) {
    const folder = folderOf(one);
    const rule = ruleOf(folder);
    if (!rule) {
      problems.push(
        `packages/${folder}: no rule says what it may import; add one to scripts/checks/arrows.mjs and to ARCHITECTURE.md`,
      );
      continue;
    }
    // What a build puts into the package itself is no dependency of its users.
    const declared = {
      ...one.manifest.dependencies,
      ...one.manifest.peerDependencies,
      ...one.manifest.inlinedDependencies,
    };
    const sources = join(one.path, 'src');
    const reach = reachOf(one);
    for (const path of existsSync(sources) ? files(sources) : []) {
      if (!path.endsWith('.ts') || path.includes('/generated/')) continue;
      for (const specifier of imports(path)) {
        const where = `${relative(root, path)} imports ${specifier}`;
        if (specifier.startsWith('.')) continue;
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (specifier.startsWith('node:') || builtins.has(name)) {
          if (neutral.has(folder)) problems.push(`${where}: packages/${folder} must run without Node.js`);
          continue;
        }
        const fault = name === one.name ? faultOfSelfImport(path, specifier, reach) : undefined;
        if (fault !== undefined) problems.push(`${where}: ${fault}`);
        if (name !== one.name && !(name in declared)) problems.push(`${where}, which is not among its dependencies`);
        const target = folderByName.get(name);
        if (target === undefined || name === one.name) continue;
        (seen.get(folder) ?? seen.set(folder, new Set()).get(folder)).add(target);
        if (!rule.includes('*') && !rule.includes(target))
          problems.push(`${where}: packages/${folder} may import only ${rule.join(', ') || 'nothing'}`);
      }
    }
    for (const dependency of Object.keys(one.manifest.dependencies ?? {})) {
      if (
        folderByName.has(dependency) &&
        one.manifest.private !== true &&
        !seen.get(folder)?.has(folderByName.get(dependency))
      ) {
        problems.push(`packages/${folder} depends on ${dependency} and never imports it`);
      }
    }
  }
  const drawn = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  for (const [folder, targets] of Object.entries(allowed)) {
    const row = drawn.split('\n').find((line) => line.startsWith(`| \`${folder}\` |`));
    const wanted = targets.includes('*')
      ? 'all of these'
      : targets.length === 0
        ? 'nothing'
        : targets.map((t) => `\`${t}\``).join(', ');
    if (row === undefined) problems.push(`ARCHITECTURE.md has no row for \`${folder}\` in its table of arrows`);
    else if (row.split('|')[2]?.trim() !== wanted)
      problems.push(`ARCHITECTURE.md says that ${folder} imports ${row.split('|')[2]?.trim()}; the rule is ${wanted}`);
  }
  return problems;
}
