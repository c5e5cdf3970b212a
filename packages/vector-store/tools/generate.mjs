// `pnpm generate`: makes src/filter/generated from src/filter/Filter.g4 and fits it to this workspace's compiler flags.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'src/filter/generated');

rmSync(target, { recursive: true, force: true });
const generated = spawnSync(
  join(root, 'node_modules/.bin/antlr-ng'),
  [
    ...['-Dlanguage=TypeScript', '--generate-visitor', 'true', '--generate-listener', 'false'],
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
const changes = {
  'FilterLexer.ts': [[/import \{ Token \} from "antlr4ng";\n/, ''], ...common],
  'FilterParser.ts': [
    [/\/\/ for running tests[\s\S]*?type int = number;\n/, ''],
    [/import \{ FilterVisitor \}/, 'import type { FilterVisitor }'],
    ...common,
  ],
  'FilterVisitor.ts': [[/import \{ (\w+Context) \}/g, 'import type { $1 }']],
};

for (const name of readdirSync(target)) {
  const path = join(target, name);
  const edits = changes[name];
  if (edits === undefined) {
    rmSync(path);
    continue;
  }
  let text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  for (const [pattern, replacement] of edits) {
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${name}: ${pattern} was not found; adapt tools/generate.mjs`);
    text = changed;
  }
  writeFileSync(path, `// Generated from Filter.g4 by tools/generate.mjs. Do not edit.\n${text.trim()}\n`);
}
