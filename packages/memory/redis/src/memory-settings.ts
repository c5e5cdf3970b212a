import { invalidArgument } from '@vernal/core';
import { createsSchema, requireCount, requireOptionNames } from '@vernal/core/adapter';
import type { RedisChatMemoryRepositoryOptions } from './redis-chat-memory-repository-options.js';
import { type MetadataField, metadataFieldsOf } from './search/metadata-fields.js';

/** Options, checked, with defaults. */
export interface MemorySettings {
  readonly keyPrefix: string;
  /** 0: none. */
  readonly ttlMs: number;
  readonly pageSize: number;
  readonly timeoutMs: number;
  readonly search: boolean;
  readonly indexName: string;
  readonly fields: readonly MetadataField[];
  /** Whether the index may be made. */
  readonly creates: boolean;
}

/** Where `message:` begins, the keys of another prefix would be taken for copies of messages. */
const COPIES = 'message:';
const LONGEST = 2_147_483_647;
const LONGEST_TTL = Math.floor(Number.MAX_SAFE_INTEGER / 1024);

/** Throws `invalid_argument` for what cannot be right, and for names that are no option. */
export function memorySettings(options: RedisChatMemoryRepositoryOptions): MemorySettings {
  requireOptionNames(options, [
    'client',
    'url',
    'keyPrefix',
    'ttlMs',
    'pageSize',
    'timeoutMs',
    'search',
    'indexName',
    'metadataFields',
    'initializeSchema',
  ]);
  const { keyPrefix = 'chat-memory:', ttlMs, pageSize = 1000, timeoutMs = 30_000 } = options;
  const { indexName, metadataFields, search = indexName !== undefined || metadataFields !== undefined } = options;
  if (typeof keyPrefix !== 'string' || keyPrefix === '' || /[{}]|\p{Surrogate}/u.test(keyPrefix))
    throw invalidArgument('keyPrefix', "must be a text without braces that is not empty, such as 'chat-memory:'");
  if (keyPrefix.endsWith(COPIES))
    throw invalidArgument('keyPrefix', `must not end with '${COPIES}', which is for the copies that are searched`);
  if (typeof search !== 'boolean') throw invalidArgument('search', 'must be true or false');
  if (indexName !== undefined && (typeof indexName !== 'string' || indexName === ''))
    throw invalidArgument('indexName', 'must be a name');
  return {
    keyPrefix,
    ttlMs: ttlMs === undefined ? 0 : requireCount(ttlMs, 'ttlMs', LONGEST_TTL),
    pageSize: requireCount(pageSize, 'pageSize', 1_000_000),
    timeoutMs: requireCount(timeoutMs, 'timeoutMs', LONGEST),
    search,
    indexName: indexName ?? 'vernal-chat-memory',
    fields: metadataFieldsOf(metadataFields ?? {}),
    creates: createsSchema(options.initializeSchema, false),
  };
}
