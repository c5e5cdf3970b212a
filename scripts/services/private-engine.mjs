// A server that one test has for itself, to kill it in the middle of a write and to look at what is left.
import { rmSync } from 'node:fs';
import { engines, startLocal } from './engines.mjs';
import { endProcess, isAlive, killProcess } from './local-process.mjs';

/** @param {string} name @returns {Promise<import('./private-engine.d.mts').PrivateEngine>} */
export async function startPrivateEngine(name) {
  if (!(name in engines)) throw new Error(`there is no engine '${name}'; there are ${Object.keys(engines).join(', ')}`);
  const { url, version, folder, restart, ...started } = await startLocal(name, { isPrivate: true }).catch((error) => {
    throw new Error(
      `a private ${name} is a local server, which Docker or ${engines[name].variable} do not replace: ${error.message}`,
    );
  });
  let pid = started.pid;
  let ended = false;
  // Of a test that is ended before it ends its server. A thread that is stopped leaves its data, but no server.
  const atExit = () => {
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.once('exit', atExit);
  const stop = async (how) => {
    const stopping = pid;
    pid = undefined;
    if (stopping !== undefined) await how(stopping);
  };
  return {
    url,
    version,
    kill: () => stop(killProcess),
    async restart() {
      if (ended) throw new Error(`the private ${name} has ended, and its data are gone: start another`);
      if (pid !== undefined) throw new Error(`${name} is running: kill() it first`);
      pid = await restart();
    },
    async end() {
      ended = true;
      process.off('exit', atExit);
      await stop(endProcess);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
