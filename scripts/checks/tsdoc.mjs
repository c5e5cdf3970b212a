// Every name that a package exports has a TSDoc comment that says more than the name, and so has every public member that its class adds.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../pnpm.mjs';
import { publicPackages } from '../workspace.mjs';

const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Override;
const isMember = (node) =>
  ts.isMethodDeclaration(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isGetAccessorDeclaration(node) ||
  ts.isSetAccessorDeclaration(node);
const tags = new Set([
  'deprecated',
  'defaultValue',
  'example',
  'internal',
  'param',
  'remarks',
  'returns',
  'see',
  'throws',
  'typeParam',
]);
const filler = new Set(['a', 'an', 'and', 'for', 'in', 'is', 'it', 'its', 'of', 'the', 'this', 'to', 'with']);
const stems = (text) =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase().replace(/s$/, ''));

/** What is wrong with the comment of a symbol; undefined when nothing is. */
function fault(symbol, checker) {
  // The name of a package in plain text is read as a tag, and what follows it is lost.
  const odd = symbol.getJsDocTags(checker).find(({ name }) => !tags.has(name));
  if (odd !== undefined)
    return `has a comment with @${odd.name}, which is no tag; put names of packages and decorators in backticks`;
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  if (text === '') return 'has no TSDoc comment';
  const named = new Set(stems(symbol.name));
  return stems(text).every((word) => named.has(word) || filler.has(word))
    ? 'has a comment that says only its name'
    : undefined;
}

/** Members of a class that no base class and no interface of it has. */
function ownMembers(declaration, checker) {
  const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.map((type) => checker.getTypeAtLocation(type)),
  );
  return declaration.members.filter(isMember).flatMap((member) => {
    // Computed names are well-known symbols, which say what they do.
    if (ts.isPrivateIdentifier(member.name) || ts.isComputedPropertyName(member.name)) return [];
    if ((ts.getCombinedModifierFlags(member) & hidden) !== 0) return [];
    const symbol = checker.getSymbolAtLocation(member.name);
    return symbol === undefined || bases.some((base) => base.getProperty(symbol.name)) ? [] : [symbol];
  });
}

export default function tsdoc() {
  const entries = publicPackages().flatMap(({ path, manifest }) =>
    Object.values(manifest.exports ?? {}).flatMap((target) => {
      const source = typeof target === 'string' ? undefined : target['@vernal/source'];
      return source !== undefined && existsSync(join(path, source)) ? [join(path, source)] : [];
    }),
  );
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: entries }, ts.sys, root);
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  const problems = new Set();
  const report = (symbol, name, declaration) => {
    const what = fault(symbol, checker);
    if (what === undefined || declaration === undefined) return;
    const source = declaration.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(declaration.getStart());
    problems.add(`${relative(root, source.fileName)}:${line + 1}: ${name} ${what}`);
  };
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declarations = (symbol.declarations ?? []).filter(({ pos }) => pos >= 0);
      report(symbol, symbol.name, declarations[0]);
      for (const declaration of declarations.filter(ts.isClassDeclaration))
        for (const member of ownMembers(declaration, checker))
          report(member, `${symbol.name}.${member.name}`, member.declarations?.[0]);
    }
  }
  return [...problems].sort();
}
