import { invalidArgument } from '@vernal/core';
import { createsSchema, requireOptionNames } from '@vernal/core/adapter';
import type { MongoChatMemoryRepositoryOptions } from './mongo-chat-memory-repository-options.js';

/** Options, checked, with defaults. */
export interface MemorySettings {
  /** Undefined: the one of the connection. */
  readonly databaseName: string | undefined;
  readonly collectionName: string;
  /** Undefined: conversations stay. */
  readonly ttlMs: number | undefined;
  readonly pageSize: number;
  /** Whether indexes may be made. */
  readonly creates: boolean;
}

const NAMES: readonly (keyof MongoChatMemoryRepositoryOptions)[] = [
  'collection',
  'client',
  'url',
  'databaseName',
  'collectionName',
  'ttlMs',
  'initializeSchema',
  'pageSize',
];

/** A hundred years: dates have an end. */
const LONGEST_TTL_MS = 3_155_760_000_000;

/** Throws `invalid_argument` for what cannot be right, and for names that are no option. */
export function memorySettings(options: MongoChatMemoryRepositoryOptions): MemorySettings {
  requireOptionNames(options, NAMES);
  const { collection, databaseName, collectionName = 'vernal_chat_memory', ttlMs, pageSize = 1000 } = options;
  if (collection !== undefined && (databaseName ?? options.collectionName) !== undefined)
    throw invalidArgument('collection', 'has its names: leave out databaseName and collectionName');
  if (databaseName !== undefined && !isName(databaseName, /^[^/\\. "$*<>:|?\0]{1,63}$/))
    throw invalidArgument('databaseName', 'must be 1 to 63 characters without / \\ . " $ * < > : | ? and spaces');
  if (!isName(collectionName, /^(?!system\.|\.)[^$\0]{1,120}$/) || collectionName.endsWith('.'))
    throw invalidArgument(
      'collectionName',
      "must be 1 to 120 characters without '$', no 'system.' or dot at its start",
    );
  return {
    databaseName,
    collectionName,
    ttlMs: ttlMs === undefined ? undefined : within(ttlMs, LONGEST_TTL_MS, 'ttlMs'),
    pageSize: within(pageSize, 1_000_000, 'pageSize'),
    creates: createsSchema(options.initializeSchema, false),
  };
}

function isName(name: unknown, pattern: RegExp): boolean {
  return typeof name === 'string' && pattern.test(name) && !/\p{Surrogate}/u.test(name);
}

function within(value: number, most: number, subject: string): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw invalidArgument(subject, `must be a whole number from 1 to ${most}`);
}
