// The Java that servers run on: 17, which Neo4j 5 and Cassandra 5 both take.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './cache.mjs';

const installed = '/usr/lib/jvm';

/** The command of a Java 17: of JAVA_HOME, on the PATH, or where Linux distributions put theirs. Throws where there is none. */
export async function java17() {
  const homes = existsSync(installed) ? readdirSync(installed).map((name) => join(installed, name)) : [];
  if (process.env.JAVA_HOME) homes.unshift(process.env.JAVA_HOME);
  for (const command of ['java', ...homes.map((home) => join(home, 'bin', 'java'))]) {
    const version = await output(command, ['--version'], { timeoutMs: 30_000 }).catch(() => '');
    if (/^\w+ 17\b/.test(version)) return command;
  }
  throw new Error('there is no Java 17: install one, such as openjdk-17-jre-headless, or set JAVA_HOME');
}

/** For a server that idles most of its time and serves one test at a time: quick to start, few threads, little memory. */
export function smallMachine({ megabytes }) {
  return [
    `-Xmx${megabytes}m`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-XX:+ExitOnOutOfMemoryError',
    '-XX:-UsePerfData',
  ];
}
