import type { WriteOptions } from '@vernal/core';
import type { CypherStatement } from './cypher-statement.js';
import { LAYOUT } from './layout-error.js';
import { escapedLabel, type Neo4jMemoryLabels } from './memory-labels.js';
import type { MessageNode } from './message-node.js';
import { removal } from './removal.js';

/** How many writes a conversation remembers, so that one whose answer was lost is not done again. */
const REMEMBERED = 32;

/** What is written to which conversation. */
export interface MemoryWrite {
  readonly mode: 'append' | 'replace';
  /** Of `conversationKey()`. */
  readonly key: string;
  /** As text that is stored. */
  readonly id: string;
  /** Of this write alone, and of all its tries. */
  readonly token: string;
  readonly messages: readonly MessageNode[];
  readonly options: WriteOptions;
}

/**
 * A write in one statement, which is one transaction. The node of the conversation is locked before its sequence is read, so that writers come one
 * after the other. Returns `layout`, `before` (the sequence that it found), `done` (what it remembers of this token) and `writes`; no row when
 * the conversation is not there and is not made.
 */
export function writeStatement(labels: Neo4jMemoryLabels, write: MemoryWrite): CypherStatement {
  const { mode, key, id, token, messages, options } = write;
  const { expectedSequence: expected } = options;
  const session = escapedLabel(labels.session);
  // Nothing to write, or somebody expects messages: then a conversation that is not there is not made.
  const makes = messages.length > 0 && (expected === undefined || expected === 0);
  const find = makes
    ? `MERGE (s:${session} {key: $key})
ON CREATE SET s.conversationId = $id, s.sequence = 0, s.writes = [], s.layout = ${LAYOUT}, s.createdAt = datetime()`
    : `MATCH (s:${session} {key: $key})`;
  const text = `${find}
SET s += $lock
WITH s, s.layout AS layout, s.sequence AS before, [w IN coalesce(s.writes, []) WHERE w STARTS WITH $token] AS done
WITH s, layout, before, done,
  layout <= ${LAYOUT} AND size(done) = 0 AND (NOT $guarded OR before = $expected) AS writes
${mode === 'replace' ? replaced(labels) : ''}
FOREACH (_ IN CASE WHEN writes THEN [true] ELSE [] END |
  SET s.sequence = before + $count, s.writes = ([$token + ' ' + (before + $count)] + s.writes)[..${REMEMBERED}])
FOREACH (m IN CASE WHEN writes THEN $messages ELSE [] END |
  ${created(labels)})
RETURN layout, before, done, writes`;
  const parameters = {
    ...{ key, id, token, messages, count: BigInt(messages.length), lock: {} },
    // The server makes another plan when a value is of another type, as null is.
    ...{ guarded: expected !== undefined, expected: integer(expected ?? 0) },
  };
  return { text, parameters };
}

function replaced(labels: Neo4jMemoryLabels): string {
  return `OPTIONAL MATCH (s)-[:HAS_MESSAGE]->(old:${escapedLabel(labels.message)}) WHERE writes
${removal(labels, ['s', 'layout', 'before', 'done', 'writes'])}`;
}

/** Of one message `m`, which is a `MessageNode`. A list of one element stands for a condition. */
function created({ message, toolCall, toolResponse, metadata, media }: Neo4jMemoryLabels): string {
  const part = (list: string, relationship: string, label: string): string =>
    `FOREACH (p IN ${list} | CREATE (n)-[:${relationship}]->(part:${escapedLabel(label)}) SET part = p)`;
  return `CREATE (s)-[:HAS_MESSAGE]->(n:${escapedLabel(message)} {session: $key, sequence: before + m.at, type: m.type,
    text: m.text, message: m.message, createdAt: datetime()})
  FOREACH (_ IN m.system | CREATE (s)-[:HAS_SYSTEM_MESSAGE]->(n))
  ${part('m.metadata', 'HAS_METADATA', metadata)}
  ${part('m.media', 'HAS_MEDIA', media)}
  ${part('m.calls', 'HAS_TOOL_CALL', toolCall)}
  FOREACH (r IN m.responses |
    CREATE (n)-[:HAS_TOOL_RESPONSE]->(response:${escapedLabel(toolResponse)}) SET response = r.node
    FOREACH (p IN r.media | CREATE (response)-[:HAS_MEDIA]->(part:${escapedLabel(media)}) SET part = p))`;
}

/** A number that is no whole one equals no sequence, and is compared as it is. */
function integer(expected: number): bigint | number {
  return Number.isSafeInteger(expected) ? BigInt(expected) : expected;
}
