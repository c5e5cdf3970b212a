import { invalidArgument, VernalError } from '@vernal/core';
import type { Neo4jMemoryDriver } from './neo4j-memory-driver.js';

/** A driver that this package has opened, and closes. */
export interface OpenedDriver extends Neo4jMemoryDriver {
  close(): Promise<void>;
}

const SCHEME = /^(?:neo4j|bolt)(?:\+s|\+ssc)?:$/;

/** Throws `invalid_argument` for what is no address of Neo4j. */
export function checkUrl(url: string): void {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !SCHEME.test(parsed.protocol) || parsed.hostname === '')
    throw invalidArgument(
      'url',
      "must be an address such as 'neo4j://user:password@host:7687', or with 'bolt', '+s', '+ssc'",
    );
  if (parsed.pathname !== '' && parsed.pathname !== '/')
    throw invalidArgument('url', 'has a path: name the database in `database`');
  try {
    loginOf(parsed);
  } catch {
    throw invalidArgument('url', "has a '%' in its user or password that begins no escape: write it as '%25'");
  }
}

/** Connections are made when the driver is used. */
export async function openDriver(url: string): Promise<OpenedDriver> {
  const { driver, auth } = await import('neo4j-driver').catch((error: unknown) => {
    throw new VernalError(
      "neo4j-driver, an optional peer of @vernal/memory-neo4j, cannot be loaded: run 'npm install neo4j-driver'",
      { code: 'invalid_state', subject: 'url', cause: error },
    );
  });
  const parsed = new URL(url);
  const [user, password] = loginOf(parsed);
  const token = user === '' ? undefined : auth.basic(user, password);
  return driver(`${parsed.protocol}//${parsed.host}${parsed.search}`, token, { telemetryDisabled: true });
}

/** Throws for a malformed escape. */
function loginOf({ username, password }: URL): readonly [user: string, password: string] {
  return [decodeURIComponent(username), decodeURIComponent(password)];
}
