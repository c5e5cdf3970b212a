import { invalidArgument } from '@vernal/core';
import { createsSchema, requireOptionNames } from '@vernal/core/adapter';
import type { CosmosDbChatMemoryRepositoryOptions } from './cosmos-db-chat-memory-repository-options.js';

/** Options, checked, with defaults. */
export interface MemorySettings {
  readonly databaseName: string;
  readonly containerName: string;
  readonly throughput: { readonly throughput: number } | { readonly maxThroughput: number } | undefined;
  /** Seconds. */
  readonly ttl: number | undefined;
  readonly pageSize: number;
  /** Whether the database and the container may be made. */
  readonly creates: boolean;
}

const NAMES: readonly (keyof CosmosDbChatMemoryRepositoryOptions)[] = [
  'container',
  'client',
  'endpoint',
  'key',
  'credential',
  'databaseName',
  'containerName',
  'initializeSchema',
  'throughput',
  'maxThroughput',
  'ttlMs',
  'pageSize',
];

/** What the service takes, less the factor by which messages outlive their conversation. */
const LONGEST_TTL_MS = 2 ** 30 * 1000;
/** Azure Cosmos DB service quotas: characters that an id of a database or a container may not have. */
const UNNAMEABLE = /[/\\#?]|\s$|[^ -~\p{L}\p{N}]/u;

/** Throws `invalid_argument` for what cannot be right, and for names that are no option. */
export function memorySettings(options: CosmosDbChatMemoryRepositoryOptions): MemorySettings {
  requireOptionNames(options, NAMES);
  checkConnection(options);
  const { throughput, maxThroughput, ttlMs, pageSize } = options;
  if (throughput !== undefined && maxThroughput !== undefined)
    throw invalidArgument('maxThroughput', 'pass this or throughput, and not both');
  return {
    databaseName: named(options.databaseName ?? 'VernalChatMemory', 'databaseName'),
    containerName: named(options.containerName ?? 'ChatMemory', 'containerName'),
    throughput:
      throughput !== undefined
        ? { throughput: within(throughput, 1, 1_000_000, 'throughput') }
        : maxThroughput !== undefined
          ? { maxThroughput: within(maxThroughput, 1000, 1_000_000, 'maxThroughput') }
          : undefined,
    ttl: ttlMs === undefined ? undefined : Math.ceil(within(ttlMs, 1000, LONGEST_TTL_MS, 'ttlMs') / 1000),
    pageSize: within(pageSize ?? 1000, 1, 1_000_000, 'pageSize'),
    creates: createsSchema(options.initializeSchema, false),
  };
}

function checkConnection(options: CosmosDbChatMemoryRepositoryOptions): void {
  const { container, client, endpoint, key, credential } = options;
  if ([container, client, endpoint].filter((one) => one !== undefined).length !== 1)
    throw invalidArgument('container', 'pass one of container, client and endpoint');
  if (container !== undefined && typeof container.items?.batch !== 'function')
    throw invalidArgument('container', 'must be a Container of @azure/cosmos, 4.9 or newer');
  if (client !== undefined && typeof client.database !== 'function')
    throw invalidArgument('client', 'must be a CosmosClient of @azure/cosmos, 4.9 or newer');
  for (const name of ['databaseName', 'containerName'] as const) {
    if (container !== undefined && options[name] !== undefined)
      throw invalidArgument(name, 'has no meaning with a container, which has a name and a database');
  }
  for (const name of ['key', 'credential'] as const) {
    if (endpoint === undefined && options[name] !== undefined)
      throw invalidArgument(name, 'goes with an endpoint; a client or a container has what it needs');
  }
  if (endpoint === undefined) return;
  if (typeof endpoint !== 'string' || !/^https?:\/\/[^@?#]+$/i.test(endpoint))
    throw invalidArgument('endpoint', 'must be an address such as https://ACCOUNT.documents.azure.com, without a key');
  if (key !== undefined && credential !== undefined)
    throw invalidArgument('credential', 'pass this or key, and not both');
  if (key !== undefined && (typeof key !== 'string' || key === '')) throw invalidArgument('key', 'must be a text');
  if (credential !== undefined && typeof credential?.getToken !== 'function')
    throw invalidArgument('credential', 'must be a TokenCredential, with getToken()');
}

function named(name: string, subject: string): string {
  if (typeof name === 'string' && name !== '' && name.length <= 255 && !UNNAMEABLE.test(name)) return name;
  throw invalidArgument(
    subject,
    'must be a name of 1 to 255 characters without / \\ # ? and without a space at its end',
  );
}

function within(value: number, least: number, most: number, subject: string): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalidArgument(subject, `must be a whole number from ${least} to ${most}`);
}
