// MongoDB's protocol, spoken by FerretDB over SQLite: no package that can be had without Docker holds MongoDB itself.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram } from './go-program.mjs';
import { freePort } from './local-process.mjs';
import { mongoIsReady } from './ready.mjs';

const version = 'v1.24.2';

export const mongo = {
  variable: 'VERNAL_MONGO_URL',
  docker: { image: 'mongo:8', port: 27_017, environment: {} },
  isReady: mongoIsReady,
  url: (port) => `mongodb://127.0.0.1:${port}/`,
  async local(folder, { durable }) {
    const command = await goProgram('github.com/FerretDB/FerretDB', version, {
      command: 'cmd/ferretdb',
      // It wants to know its version, which only its own repository's build writes down.
      files: { 'build/version/version.txt': version },
      tags: ['ferretdb_no_postgresql'],
    });
    mkdirSync(join(folder, 'data'));
    const port = await freePort();
    const args = [
      '--handler=sqlite',
      `--sqlite-url=file:${folder}/data/?_pragma=synchronous(${durable ? 'full' : 'off'})`,
      `--listen-addr=127.0.0.1:${port}`,
      '--debug-addr=-',
      `--state-dir=${folder}`,
      '--telemetry=disable',
      '--log-level=WARN',
    ];
    return { version: `FerretDB ${version.slice(1)}, SQLite`, port, command, args, options: {} };
  },
};
