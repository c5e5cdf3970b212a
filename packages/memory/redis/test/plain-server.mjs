// Servers that a test has for itself: the Redis of `pnpm services`, without its modules.
import { rmSync } from 'node:fs';
import { dataFolder, endProcess, freePort, startServer } from '../../../../scripts/services/local-process.mjs';
import { redis } from '../../../../scripts/services/redis.mjs';
import { readState } from '../../../../scripts/services/state.mjs';

export { freePort };

export function noLocalServer() {
  // What `up` has started, so that no test has to download it.
  return readState().redis?.how === 'local' ? undefined : "no local redis: 'pnpm services up redis' found another one";
}

export async function startPlainServer(...settings) {
  const folder = dataFolder('redis');
  const { command, args, options, port } = await redis.local(folder, { durable: false });
  const plain = args.filter((arg, at) => arg !== '--loadmodule' && args[at - 1] !== '--loadmodule');
  const pid = await startServer(command, [...plain, ...settings], { port, folder, isReady: redis.isReady, ...options });
  // Of a test that is ended before it ends its server.
  const atExit = () => process.kill(pid, 'SIGKILL');
  process.once('exit', atExit);
  return {
    port,
    url: redis.url(port),
    async end() {
      process.off('exit', atExit);
      await endProcess(pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
