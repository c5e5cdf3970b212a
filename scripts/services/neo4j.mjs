// Neo4j's community edition, from Maven: the entry point of its own scripts, without the web server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { java17, smallMachine } from './java.mjs';
import { freePort } from './local-process.mjs';
import { mavenJars } from './maven-jars.mjs';
import { neo4jIsReady } from './ready.mjs';

const version = '5.26.12';

export const neo4j = {
  variable: 'VERNAL_NEO4J_URL',
  docker: { image: 'neo4j:5.26-community', port: 7687, environment: { NEO4J_AUTH: 'none' } },
  isReady: neo4jIsReady,
  url: (port) => `bolt://127.0.0.1:${port}`,
  // It always writes to disk before it confirms.
  async local(folder) {
    const command = await java17();
    const jars = await mavenJars(`org.neo4j:neo4j:${version}`);
    const port = await freePort();
    const settings = {
      'server.default_listen_address': '127.0.0.1',
      'server.bolt.listen_address': `127.0.0.1:${port}`,
      'server.http.enabled': false,
      'server.https.enabled': false,
      'server.memory.pagecache.size': '32m',
      'dbms.security.auth_enabled': false,
      'dbms.usage_report.enabled': false,
      'db.tx_log.preallocate': false,
      // Else it waits seconds for clients that may still come.
      'internal.dbms.bolt.netty_server_shutdown_quiet_period': 0,
      'internal.dbms.bolt.netty_server_shutdown_timeout': '1s',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    mkdirSync(join(folder, 'conf'));
    writeFileSync(join(folder, 'conf', 'neo4j.conf'), lines.join(''));
    const opens = ['java.nio', 'java.io', 'sun.nio.ch'].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
    const entry = ['-cp', join(jars, '*'), 'org.neo4j.server.CommunityEntryPoint', '--console-mode'];
    const folders = [`--home-dir=${folder}`, `--config-dir=${join(folder, 'conf')}`];
    const args = [...smallMachine({ megabytes: 512 }), ...opens, ...entry, ...folders];
    return { version: `Neo4j ${version} community`, port, command, args, options: { timeoutMs: 120_000 } };
  },
};
