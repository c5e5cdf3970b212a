// `pnpm generate`: makes the parser in src/filter/generated from src/filter/Filter.g4, and the lexer that only tests use in test/generated,
// and fits both to this workspace's compiler flags.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'src/filter/generated');
const testTarget = join(root, 'test/generated');

rmSync(target, { recursive: true, force: true });
const generated = spawnSync(
  join(root, 'node_modules/.bin/antlr-ng'),
  [
    ...['-Dlanguage=TypeScript', '--generate-visitor', 'false', '--generate-listener', 'false'],
    ...['--output-directory', target, join(root, 'src/filter/Filter.g4')],
  ],
  { stdio: 'inherit' },
);
if (generated.status !== 0) process.exit(generated.status ?? 1);

/** Each must be found, so that a new generator version cannot slip through half adapted. */
const common = [
  // isolatedDeclarations wants the types of arrays written out.
  [/public static readonly (\w+) = \[/g, 'public static readonly $1: (string | null)[] = ['],
  [/(channelNames|modeNames|ruleNames): \(string \| null\)\[\]/g, '$1: string[]'],
  // Reading the network of states is left to the first use: importing the package must cost nothing.
  [
    /private static readonly decisionsToDFA = (.*);/,
    'private static __decisionsToDFA: antlr.DFA[] | undefined;\n' +
      '    private static get decisionsToDFA(): antlr.DFA[] {\n' +
      '        return this.__decisionsToDFA ??= $1;\n' +
      '    }',
  ],
];
/** The parts of a rule are read by their labels; these methods would look through a parse tree, which is not kept. */
const treeMethods =
  / {4}public (?:override )?(?!get |constructor)\w+\([^)]*\): [^{;]*(?:;|\{\r?\n(?:(?! {4}\}).*\r?\n)* {4}\})\r?\n/g;
const outputs = [
  { name: 'FilterLexer.ts', folder: testTarget, edits: [[/import \{ Token \} from "antlr4ng";\n/, ''], ...common] },
  {
    name: 'FilterParser.ts',
    folder: target,
    edits: [
      // Fields that are defined as undefined cost time for each rule that is entered.
      [/^ {4}public (_\w+\?:)/gm, '    declare public $1'],
      [/\/\/ for running tests[\s\S]*?type int = number;\n/, ''],
      [/(?<=\nexport class FilterContext )[\s\S]*/, (rest) => rest.replace(treeMethods, '')],
      ...common,
    ],
  },
];

const texts = outputs.map(({ name, edits }) => {
  let text = readFileSync(join(target, name), 'utf8').replaceAll('\r\n', '\n');
  for (const [pattern, replacement] of edits) {
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${name}: ${pattern} was not found; adapt tools/generate.mjs`);
    text = changed;
  }
  return text;
});
rmSync(target, { recursive: true });
for (const [i, { name, folder }] of outputs.entries()) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, name),
    `// Generated from Filter.g4 by tools/generate.mjs. Do not edit.\n${texts[i].trim()}\n`,
  );
}
