import { CASSANDRA_LAYOUT_VERSION } from './cassandra-schema.js';
import type { MemoryNames } from './memory-names.js';
import { type MemorySettings, PARTS_SLACK_SECONDS } from './memory-settings.js';

/** The texts of all statements; each is prepared once. What they give is named as in the code, whatever the columns are called. */
export interface MemoryStatements {
  readonly head: string;
  readonly newest: string;
  readonly newestLimited: string;
  readonly before: string;
  readonly beforeLimited: string;
  readonly references: string;
  readonly writeAt: string;
  readonly list: string;
  readonly claim: string;
  readonly claimNew: string;
  readonly trim: string;
  readonly end: string;
  readonly clear: string;
  readonly setGeneration: string;
  readonly setFirst: string;
  readonly setHasParts: string;
  readonly insert: string;
  readonly insertReference: string;
  readonly deleteBefore: string;
  readonly deleteAll: string;
  readonly insertPart: string;
  readonly findParts: string;
  readonly nextParts: string;
  readonly deleteItem: string;
  readonly deleteParts: string;
}

export function memoryStatements({ names, ttlSeconds }: MemorySettings): MemoryStatements {
  return { ...readStatements(names), ...writeStatements(names, ttlSeconds), ...partStatements(names, ttlSeconds) };
}

function readStatements({ table, columns }: MemoryNames) {
  const key = columns.conversationKey;
  const { isSystem, sequence } = columns;
  const as = (...wanted: readonly (keyof MemoryNames['columns'])[]): string =>
    wanted.map((column) => `${columns[column]} AS "${column}"`).join(', ');
  const rows = `SELECT ${as('isSystem', 'sequence', 'message', 'writeId', 'item', 'parts', 'createdAt', 'firstSequence', 'lastSequence', 'generation')} FROM ${table} WHERE ${key} = ?`;
  const newest = `${rows} AND (${isSystem}, ${sequence}) >= (false, ?)`;
  const isBefore = `AND ${isSystem} = ? AND ${sequence} < ? AND ${sequence} >= ?`;
  const before = `${rows} ${isBefore}`;
  const references = as('isSystem', 'sequence', 'writeId', 'item', 'parts', 'createdAt');
  return {
    head: `SELECT DISTINCT ${key}, ${as('lastSequence', 'firstSequence', 'generation', 'lastWrite', 'hasParts', 'layout')} FROM ${table} WHERE ${key} = ?`,
    newest,
    newestLimited: `${newest} LIMIT ?`,
    before,
    beforeLimited: `${before} LIMIT ?`,
    references: `SELECT ${references} FROM ${table} WHERE ${key} = ? ${isBefore}`,
    writeAt: `SELECT ${as('writeId')} FROM ${table} WHERE ${key} = ? AND ${isSystem} IN (true, false) AND ${sequence} = ?`,
    list: `SELECT ${as('conversationId', 'sequence')} FROM ${table} PER PARTITION LIMIT 1`,
  };
}

function writeStatements({ table, columns }: MemoryNames, ttlSeconds: number | undefined) {
  const key = columns.conversationKey;
  const { isSystem, sequence, lastSequence, lastWrite, layout } = columns;
  const ttl = ttlSeconds === undefined ? '' : ` USING TTL ${ttlSeconds}`;
  const set = (assignments: string): string => `UPDATE ${table}${ttl} SET ${assignments} WHERE ${key} = ?`;
  const claim = set(
    `${lastSequence} = ?, ${columns.conversationId} = ?, ${lastWrite} = ?, ${layout} = ${CASSANDRA_LAYOUT_VERSION}`,
  );
  const known = `${layout} = ${CASSANDRA_LAYOUT_VERSION}`;
  const row = [key, isSystem, sequence, columns.type, columns.text, columns.createdAt, columns.writeId];
  const insert = (more: readonly string[]): string => {
    const all = [...row, ...more];
    return `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})${ttl}`;
  };
  return {
    claim: `${claim} IF ${lastSequence} = ? AND ${known}`,
    claimNew: `${claim} IF ${lastSequence} = null`,
    trim: `${set(`${columns.firstSequence} = ?, ${lastWrite} = ?`)} IF ${lastSequence} >= ? AND ${known} AND ${columns.hasParts} = ?`,
    end: `DELETE ${lastWrite} FROM ${table} WHERE ${key} = ? IF ${lastSequence} = ? AND ${known}`,
    clear: `DELETE ${lastWrite} FROM ${table} WHERE ${key} = ? IF ${lastSequence} = null`,
    setGeneration: set(`${columns.generation} = ?`),
    setFirst: set(`${columns.firstSequence} = ?`),
    setHasParts: set(`${columns.hasParts} = true`),
    insert: insert([columns.message]),
    insertReference: insert([columns.item, columns.parts]),
    deleteBefore: `DELETE FROM ${table} WHERE ${key} = ? AND ${isSystem} = ? AND ${sequence} < ?`,
    deleteAll: `DELETE FROM ${table} WHERE ${key} = ?`,
  };
}

function partStatements({ partTable, columns }: MemoryNames, ttlSeconds: number | undefined) {
  const key = columns.conversationKey;
  const { writeId, item, part, content } = columns;
  const ttl = ttlSeconds === undefined ? '' : ` AND TTL ${ttlSeconds + PARTS_SLACK_SECONDS}`;
  const ofWrite = `WHERE ${key} = ? AND ${writeId} = ?`;
  return {
    insertPart: `INSERT INTO ${partTable} (${[key, writeId, item, part, content].join(', ')}) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?${ttl}`,
    findParts: `SELECT ${item} AS "item", ${content} AS "content" FROM ${partTable} ${ofWrite} AND ${item} >= ? AND ${item} <= ?`,
    nextParts: `SELECT ${writeId} AS "writeId", WRITETIME(${content}) AS "writtenAt" FROM ${partTable} WHERE ${key} = ? AND ${writeId} > ? LIMIT 1`,
    deleteItem: `DELETE FROM ${partTable} USING TIMESTAMP ? ${ofWrite} AND ${item} = ?`,
    deleteParts: `DELETE FROM ${partTable} USING TIMESTAMP ? ${ofWrite}`,
  };
}
