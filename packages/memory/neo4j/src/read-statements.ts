import type { FindRange } from '@vernal/core/adapter';
import type { CypherStatement } from './cypher-statement.js';
import { escapedLabel, type Neo4jMemoryLabels } from './memory-labels.js';

/**
 * Returns `layout`, `sequence`, and as pairs of sequence and message `found`, the newest first, and `systems`; no row for a conversation that
 * is not there. Neo4j lets a reader see the half of a commit; so this one takes the lock that writers take, which writes nothing. The
 * order is of both properties of the index, for only then is it read from its end.
 */
export function findStatement(
  labels: Neo4jMemoryLabels,
  key: string,
  { last, before, includeSystem }: FindRange,
): CypherStatement {
  const message = escapedLabel(labels.message);
  const systems = `COLLECT { MATCH (s)-[:HAS_SYSTEM_MESSAGE]->(m:${message}) RETURN [m.sequence, m.message] }`;
  const text = `MATCH (s:${escapedLabel(labels.session)} {key: $key})
SET s += $lock
WITH s
RETURN s.layout AS layout, s.sequence AS sequence, COLLECT {
  MATCH (m:${message}) USING INDEX m:${message}(session, sequence)
  WHERE m.session = s.key AND m.sequence ${before === undefined ? '> 0' : '< $before'}
  RETURN [m.sequence, m.message] ORDER BY m.session DESC, m.sequence DESC${last === undefined ? '' : ' LIMIT $last'}
} AS found, ${includeSystem ? systems : '[]'} AS systems`;
  return { text, parameters: { key, before: integer(before), last: integer(last), lock: {} } };
}

/** Returns `key` and `id` of conversations with messages, by their key. */
export function listStatement(labels: Neo4jMemoryLabels, after: string, pageSize: number): CypherStatement {
  const text = `MATCH (s:${escapedLabel(labels.session)}) WHERE s.key > $after AND EXISTS { (s)-[:HAS_MESSAGE]->() }
RETURN s.key AS key, s.conversationId AS id ORDER BY s.key LIMIT $pageSize`;
  return { text, parameters: { after, pageSize: BigInt(pageSize) } };
}

/** The driver makes a float of every number, and an integer of a bigint. */
function integer(value: number | undefined): bigint | null {
  return value === undefined ? null : BigInt(value);
}
