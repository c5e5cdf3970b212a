// Second step of the build: puts the parts of antlr4ng that the filter parser uses into dist/index.js. The package is 12 MB on the disk,
// and importing it costs over 40 ms, most of it for an XPath lexer that is built at import; what is used of it costs a few.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const antlr = dirname(dirname(createRequire(import.meta.url).resolve('antlr4ng')));

/** Without what keeps unused classes alive: names for stack traces, and tables that are made at import. */
const slim = {
  name: 'slim-antlr4ng',
  transform(code, id) {
    if (!id.startsWith(antlr)) return undefined;
    const changed = code
      .replace(/^[ \t]*static \{\n[ \t]*__name\(this, "\w+"\);\n[ \t]*\}\n/gm, '')
      .replace(/^__name\(\w+, "\w+"\);\n/gm, '')
      .replace(/static decisionsToDFA = _XPathLexer\._ATN\.[\s\S]*?\n[ \t]*\}\);/, 'static decisionsToDFA = [];')
      .replace(/static _serializedATN = \[[^\]]*\];/, 'static _serializedATN = [];');
    if (
      /static \{\n[ \t]*__name/.test(changed) ||
      !/decisionsToDFA = \[\];/.test(changed) ||
      !/_serializedATN = \[\];/.test(changed)
    )
      throw new Error('antlr4ng is built in another way than before: adapt tools/inline-antlr.mjs');
    return { code: changed, map: { mappings: '' }, moduleSideEffects: false };
  },
};

const bundle = await rolldown({
  input: join(dist, 'index.js'),
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'] },
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id) && id !== 'antlr4ng',
  plugins: [slim],
});
const { output } = await bundle.generate({
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
for (const item of output) writeFileSync(join(dist, item.fileName), item.type === 'chunk' ? item.code : item.source);
writeFileSync(
  join(dist, 'THIRD-PARTY-LICENSES.txt'),
  `index.js holds parts of antlr4ng ${JSON.parse(readFileSync(join(antlr, 'package.json'), 'utf8')).version}, under this licence:\n\n${readFileSync(join(antlr, 'LICENSE.txt'), 'utf8')}`,
);

// Declarations that name its types; no entry point leads to them.
for (const name of ['generated', 'filter-text.d.ts', 'filter-tokens.d.ts', 'filter-tree-builder.d.ts'])
  rmSync(join(dist, 'filter', name), { recursive: true, force: true });
