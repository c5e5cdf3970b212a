// Uses every package as its users get it: packed, installed by npm into an empty folder, imported, required, type-checked, its README run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { exampleServer } from './example-server.mjs';
import { pack } from './pack.mjs';
import { importedPackages } from './pages.mjs';
import { env, install, root, run } from './pnpm.mjs';
import { ON_SERVERS, readmeExamples } from './readme-examples.mjs';

install();
if (run('turbo', ['run', 'build', '--output-logs=errors-only']) !== 0) process.exit(1);

let passed = 0;
const failures = [];
const attempt = (name, result) => {
  if (result.status === 0) passed += 1;
  else failures.push(`${name}\n${`${result.stdout ?? ''}${result.stderr ?? ''}`.trim()}`);
  return result;
};
const app = mkdtempSync(join(tmpdir(), 'vernal-packed-'));
const clean = Object.fromEntries(
  Object.entries(env()).filter(([name]) => !/^(OPENAI|ANTHROPIC|OLLAMA)_|^npm_|NODE_OPTIONS/.test(name)),
);
const node = (args, options = {}) =>
  spawnSync(process.execPath, args, { cwd: app, env: clean, encoding: 'utf8', timeout: 60_000, ...options });

try {
  const packages = pack();
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const pinned = (name) =>
    `${name}@${new RegExp(`^  ['"]?${name.replace('/', '\\/')}['"]?: (.*)$`, 'm').exec(catalog)?.[1]}`;
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  // What the examples import beside our packages: drivers that are the user's choice.
  const drivers = readmeExamples().flatMap(({ code }) =>
    importedPackages(code).filter((name) => !name.startsWith('@vernal/')),
  );
  const tools = [...new Set(['typescript', '@types/node', 'zod', ...drivers])].map(pinned);
  const tarballs = packages.map((one) => one.tarball);
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs, ...tools], {
    cwd: app,
    env: clean,
    encoding: 'utf8',
  });
  attempt('npm install of the packed packages', npm);
  if (npm.status !== 0) throw new Error(`npm cannot install the packed packages:\n${npm.stdout}${npm.stderr}`);
  for (const one of packages) {
    const copies = spawnSync('find', [join(app, 'node_modules'), '-path', `*/node_modules/${one.name}/package.json`], {
      encoding: 'utf8',
    });
    attempt(`${one.name} is there once`, {
      status: copies.stdout.trim().split('\n').length === 1 ? 0 : 1,
      stdout: copies.stdout,
    });
  }

  const specifiers = packages.flatMap((one) =>
    Object.entries(one.manifest.publishConfig.exports)
      .filter(([, target]) => typeof target === 'object')
      .map(([entry]) => one.name + entry.slice(1)),
  );
  for (const name of specifiers) {
    const some = 'if (Object.keys(m).length === 0) throw new Error("nothing is exported")';
    attempt(`import ${name}`, node(['--input-type=module', '-e', `const m = await import('${name}'); ${some}`]));
    attempt(`require ${name}`, node(['--input-type=commonjs', '-e', `const m = require('${name}'); ${some}`]));
  }
  for (const one of packages.filter(({ manifest }) => manifest.bin)) {
    for (const command of Object.keys(one.manifest.bin))
      attempt(
        `${command} --version`,
        spawnSync(join(app, 'node_modules/.bin', command), ['--version'], { cwd: app, env: clean, encoding: 'utf8' }),
      );
  }

  writeFileSync(
    join(app, 'imports.ts'),
    specifiers
      .map((name, i) => `import * as m${i} from '${name}';\nexport const names${i}: string[] = Object.keys(m${i});\n`)
      .join(''),
  );
  const examples = readmeExamples();
  mkdirSync(join(app, 'examples'));
  for (const example of examples)
    writeFileSync(join(app, 'examples', `${example.name.replace('@vernal/', '')}.ts`), example.code);
  const strict = {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  // Declarations of foreign packages are theirs to get right; ours are checked in full by leaving skipLibCheck off where nothing foreign is imported.
  const projects = {
    nodenext: {
      compilerOptions: { ...strict, module: 'NodeNext', skipLibCheck: true },
      include: ['imports.ts', 'examples'],
    },
    bundler: {
      compilerOptions: { ...strict, module: 'ESNext', moduleResolution: 'Bundler', skipLibCheck: true },
      include: ['imports.ts', 'examples'],
    },
    'nodenext-whole': { compilerOptions: { ...strict, module: 'NodeNext', skipLibCheck: false }, include: ['ours.ts'] },
  };
  const foreign = /^@vernal\/(model-(openai|anthropic|ollama)|cli|readers-.*|testing\/aimock|evaluation\/vitest)/;
  writeFileSync(
    join(app, 'ours.ts'),
    specifiers
      .filter((name) => !foreign.test(name))
      .map((name) => `import '${name}';\n`)
      .join(''),
  );
  for (const [name, project] of Object.entries(projects)) {
    writeFileSync(join(app, `tsconfig.${name}.json`), JSON.stringify(project));
    attempt(
      `types under ${name}`,
      node([join(app, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${name}.json`, '--pretty', 'false'], {
        timeout: 120_000,
      }),
    );
  }

  const testing = (entry) => import(pathToFileURL(join(app, 'node_modules/@vernal/testing/dist', `${entry}.js`)).href);
  const server = await exampleServer(await testing('mock-server'), await testing('wires'));
  for (const example of examples.filter(({ name }) => !ON_SERVERS.has(name))) {
    const file = `examples/${example.name.replace('@vernal/', '')}`;
    const { outputText } = ts.transpileModule(example.code, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
    });
    writeFileSync(join(app, `${file}.mjs`), outputText);
    const result = await server.spawn(process.execPath, [`${file}.mjs`], { cwd: app, env: clean });
    const missing = example.prints.filter((text) => !result.stdout.includes(text));
    attempt(
      `README of ${example.name} runs`,
      missing.length > 0
        ? { status: 1, stdout: `it does not print: ${missing.join(' | ')}\n${result.stdout}`, stderr: result.stderr }
        : result,
    );
  }
  await server.close();
  if (existsSync(join(root, 'docs'))) {
    cpSync(join(root, 'docs'), join(app, 'docs'), { recursive: true });
    const asked = spawnSync(
      join(app, 'node_modules/.bin/vernal'),
      ['ask', '--docs', 'docs', '--model', 'local', 'How many times may one tool be called in a turn?'],
      { cwd: app, env: clean, encoding: 'utf8', timeout: 120_000 },
    );
    attempt(
      'vernal ask, installed',
      asked.status === 0 && !/\b40\b/.test(asked.stdout) ? { ...asked, status: 1 } : asked,
    );
  }
} finally {
  rmSync(app, { recursive: true, force: true });
}

for (const failure of failures) console.log(`FAIL ${failure.replaceAll('\n', '\n     ')}`);
console.log(`packed install: ${passed} passed, ${failures.length} failed`);
mkdirSync(join(root, '.vernal'), { recursive: true });
writeFileSync(join(root, '.vernal', 'packed-results.json'), JSON.stringify({ passed, failed: failures.length }));
process.exitCode = failures.length === 0 ? 0 : 1;
