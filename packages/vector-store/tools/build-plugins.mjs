// Puts the parts of antlr4ng that the filter parser uses into dist/index.js. The package is 12 MB on the disk, and importing it costs
// over 40 ms, most of it for an XPath lexer that is built at import; what is used of it costs a few.
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
const antlr = dirname(dirname(createRequire(import.meta.url).resolve('antlr4ng')));

/** Methods of the parser that lead to half of the library, and that nobody calls. */
const UNUSED = ['compileParseTreePattern', 'getParseInfo', 'setProfile', 'setTrace'];

function without(code, pattern, what, instead = '') {
  const left = code.replace(pattern, instead);
  if (left === code) throw new Error(`antlr4ng has no ${what} where it had one: adapt tools/build-plugins.mjs`);
  return left;
}

/** Without what keeps unused classes alive: names for stack traces, tables that are made at import, methods that name them. */
const slim = {
  name: 'slim-antlr4ng',
  transform(code, id) {
    if (!id.startsWith(antlr)) return undefined;
    let left = without(code, /^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, 'comment');
    left = without(left, /^[ \t]*static \{\n[ \t]*__name\(this, "\w+"\);\n[ \t]*\}\n/gm, 'name of a class');
    left = without(left, /_XPathLexer\._ATN\.[\s\S]*?\n[ \t]*\}\);/, 'table of an XPath lexer', '[];');
    left = without(
      left,
      /static _serializedATN = \[[^\]]*\];/,
      'grammar of an XPath lexer',
      'static _serializedATN = [];',
    );
    // Fields of a class that others extend are slow to make, and a parser makes one of these for each rule it enters. Without a parse tree
    // there are no children.
    left = without(
      left,
      /^ {2}start = null;\n {2}stop = null;\n {2}children = \[\];\n {2}invokingState;\n {2}parent;\n {2}constructor\(parent, invokingStateNumber = -1\) \{\n/m,
      'fields of a ParserRuleContext',
      '  constructor(parent, invokingStateNumber = -1) {\n    this.start = null;\n    this.stop = null;\n',
    );
    const at = left.indexOf('\nvar Parser = class');
    const end = left.indexOf('\n};\n', at);
    if (at < 0 || end < 0) throw new Error('antlr4ng has no class Parser: adapt tools/build-plugins.mjs');
    let parser = left.slice(at, end);
    for (const name of UNUSED) {
      parser = without(parser, new RegExp(`^  ${name}\\([^)]*\\) \\{\\n[\\s\\S]*?^  \\}\\n`, 'm'), `Parser.${name}`);
    }
    parser = without(parser, /^ +this\.setTrace\(false\);\n/m, 'call of setTrace');
    return { code: left.slice(0, at) + parser + left.slice(end), map: { mappings: '' }, moduleSideEffects: false };
  },
};

const finish = {
  name: 'finish-antlr4ng',
  generateBundle() {
    const { version } = JSON.parse(readFileSync(join(antlr, 'package.json'), 'utf8'));
    this.emitFile({
      type: 'asset',
      fileName: 'THIRD-PARTY-LICENSES.txt',
      source: `index.js holds parts of antlr4ng ${version}, under this licence:\n\n${readFileSync(join(antlr, 'LICENSE.txt'), 'utf8')}`,
    });
  },
  /** Declarations that name its types; no entry point leads to them. */
  closeBundle() {
    const names = ['filter-text', 'filter-token', 'filter-token-stream', 'filter-tokens', 'filter-tree-builder'];
    for (const name of ['generated', ...names.map((file) => `${file}.d.ts`)])
      rmSync(join(dist, 'filter', name), { recursive: true, force: true });
  },
};

export default [slim, finish];
