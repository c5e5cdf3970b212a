// Assembles tools/vector-kernel.wat into src/simple/vector-kernel-wasm.ts. The assembler is the only thing that needs `wabt`, so it is no
// dependency of the workspace: `npm install --no-save --prefix <folder> wabt`, then
// `node tools/assemble-kernel.mjs <folder>/node_modules/wabt/index.js`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const assembler = process.argv[2] === undefined ? 'wabt' : pathToFileURL(resolve(process.argv[2])).href;
const { default: wabt } = await import(assembler);
const { parseWat } = await wabt();

const source = join(root, 'tools/vector-kernel.wat');
const module = parseWat(source, readFileSync(source, 'utf8'), { simd: true });
module.validate();
const { buffer } = module.toBinary({ write_debug_names: false });
const lines =
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,110}/g) ?? [];
writeFileSync(
  join(root, 'src/simple/vector-kernel-wasm.ts'),
  `/** ${buffer.length} bytes of WebAssembly, as base64; made from tools/vector-kernel.wat by tools/assemble-kernel.mjs. */
export const VECTOR_KERNEL: string =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`,
);
