// The engines that tests can run against, and the three ways to one: an address from the environment, Docker, a local server.
import { rmSync } from 'node:fs';
import { cassandra } from './cassandra.mjs';
import { dockerVersion, endContainer, startContainer } from './docker.mjs';
import { dataFolder, endProcess, isAlive, startServer } from './local-process.mjs';
import { mariadb } from './mariadb.mjs';
import { mongo } from './mongo.mjs';
import { neo4j } from './neo4j.mjs';
import { postgres } from './postgres.mjs';
import { redis } from './redis.mjs';

/**
 * By name. `local` sets up a server's data in a folder, which belongs to `owner`, and says how to start it; it may be absent: then only the
 * other ways lead there. `dockerUrl` is there where a container's address is not `url`.
 */
export const engines = { postgres, redis, mariadb, mongo, neo4j, cassandra };

/** Starts an engine, or finds it. Throws with the reason when there is no way. */
export async function startEngine(name) {
  const engine = engines[name];
  const url = process.env[engine.variable];
  if (url !== undefined && url !== '') return { url, how: 'environment' };
  if ((await dockerVersion()) !== undefined) {
    const { container, port } = await startContainer(name, engine.docker, engine.isReady);
    return { url: (engine.dockerUrl ?? engine.url)(port), how: 'docker', version: engine.docker.image, container };
  }
  const { restart: _, ...service } = await startLocal(name);
  return { how: 'local', ...service };
}

/**
 * A server of this machine; `restart` starts it again over its data once it has ended, and resolves with its new process id. A private one
 * has on disk what it has confirmed, and ends with us; the others are quicker and go on. Throws with the reason where there is no local way.
 */
export async function startLocal(name, { isPrivate = false } = {}) {
  const engine = engines[name];
  if (engine.local === undefined) throw new Error(`set ${engine.variable}, or start Docker: there is no local server`);
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`set ${engine.variable}, or start Docker: the local server is for Linux on x64`);
  const folder = dataFolder(name, engine.owner);
  try {
    const { version, port, command, args, options } = await engine.local(folder, { durable: isPrivate });
    const all = { port, folder, isReady: engine.isReady, dependent: isPrivate, ...engine.owner, ...options };
    const restart = () => startServer(command, args, all);
    return { url: engine.url(port), version, pid: await restart(), folder, restart };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Ends exactly what `startEngine` started. */
export async function endEngine({ pid, container, folder }) {
  if (container !== undefined) await endContainer(container);
  if (pid !== undefined) await endProcess(pid);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** False for a server that ended by itself; of an address from the environment nothing is known. */
export const isUp = ({ pid }) => pid === undefined || isAlive(pid);
