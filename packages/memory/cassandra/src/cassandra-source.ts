import { invalidArgument } from '@vernal/core';
import type { CassandraChatMemoryRepositoryOptions } from './cassandra-chat-memory-repository-options.js';
import type { CassandraMemoryClient } from './cassandra-memory-client.js';

/** Where a cluster is, and as whom. */
export interface CassandraEndpoint {
  readonly contactPoints: readonly string[];
  readonly localDataCenter: string;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  readonly ssl: boolean;
  readonly keyspace: string | undefined;
}

const URL_SHAPE =
  /^cassandra:\/\/(?:(?<username>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?:\/(?<keyspace>\w*))?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;
const DATA_CENTER = 'datacenter1';

/** The caller's client, or where one is to be opened. */
export type CassandraSource = { readonly client: CassandraMemoryClient } | CassandraEndpoint;

/**
 * What `client`, `url` or `contactPoints` say.
 *
 * @throws VernalError `invalid_argument`; never with the url, which holds a password
 */
export function cassandraSource(options: CassandraChatMemoryRepositoryOptions): CassandraSource {
  const { client, url, contactPoints, localDataCenter, credentials } = options;
  if ([client, url, contactPoints].filter((one) => one !== undefined).length !== 1)
    throw invalidArgument(
      'client',
      'pass a Client of cassandra-driver, or url, or contactPoints, and only one of them',
    );
  if (contactPoints !== undefined) return endpointAt({ contactPoints, localDataCenter, credentials });
  for (const [name, value] of Object.entries({ localDataCenter, credentials }))
    if (value !== undefined) throw invalidArgument(name, 'belongs to contactPoints');
  if (client === undefined) return endpointOf(url ?? '');
  if (typeof client?.execute !== 'function' || typeof client.batch !== 'function')
    throw invalidArgument('client', 'must be a Client of cassandra-driver');
  return { client };
}

function endpointAt(options: CassandraChatMemoryRepositoryOptions): CassandraEndpoint {
  const { contactPoints = [], localDataCenter, credentials } = options;
  if (!Array.isArray(contactPoints) || contactPoints.length === 0 || !contactPoints.every(isHost))
    throw invalidArgument('contactPoints', "must be a list of hosts, such as ['127.0.0.1:9042']");
  if (localDataCenter !== undefined && (typeof localDataCenter !== 'string' || localDataCenter === ''))
    throw invalidArgument('localDataCenter', 'must be a name');
  const { username, password } = credentials ?? { username: '', password: '' };
  if (typeof username !== 'string' || typeof password !== 'string')
    throw invalidArgument('credentials', 'must be { username, password }');
  return {
    contactPoints,
    localDataCenter: localDataCenter ?? DATA_CENTER,
    credentials,
    ssl: false,
    keyspace: undefined,
  };
}

function endpointOf(url: string): CassandraEndpoint {
  const found = typeof url === 'string' ? URL_SHAPE.exec(url)?.groups : undefined;
  const contactPoints = found?.['hosts']?.split(',') ?? [];
  if (found === undefined || !contactPoints.every(isHost))
    throw invalidArgument(
      'url',
      "must be like 'cassandra://USER:PASSWORD@HOST:9042,HOST2/KEYSPACE?localDataCenter=NAME'",
    );
  const query = new URLSearchParams(found['query'] ?? '');
  for (const name of query.keys()) {
    if (name !== 'localDataCenter' && name !== 'ssl')
      throw invalidArgument('url', 'may have localDataCenter and ssl behind the question mark, and nothing else');
  }
  const { username, password = '' } = found;
  return {
    contactPoints,
    localDataCenter: query.get('localDataCenter') || DATA_CENTER,
    credentials: username ? { username: decoded(username), password: decoded(password) } : undefined,
    ssl: query.get('ssl') === 'true',
    keyspace: found['keyspace'] || undefined,
  };
}

function isHost(host: unknown): boolean {
  return typeof host === 'string' && HOST.test(host);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidArgument('url', 'must have % in the user and the password written as %25');
  }
}
