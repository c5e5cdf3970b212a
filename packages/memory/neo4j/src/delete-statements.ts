import type { CypherStatement } from './cypher-statement.js';
import { LAYOUT } from './layout-error.js';
import { escapedLabel, type Neo4jMemoryLabels } from './memory-labels.js';
import { removal } from './removal.js';

/** Which messages go. */
export interface DeletedRange {
  /** Of `conversationKey()`. */
  readonly key: string;
  /** Undefined: all of them. */
  readonly before: number | undefined;
  readonly keepSystem: boolean;
}

/** Returns the `layout` of the conversation; no row where there is none. */
export function deleteBeforeStatement(
  labels: Neo4jMemoryLabels,
  { key, before = Number.MAX_SAFE_INTEGER, keepSystem }: DeletedRange,
): CypherStatement {
  const text = `${locked(labels)}
OPTIONAL MATCH (old:${escapedLabel(labels.message)})
WHERE layout <= ${LAYOUT} AND old.session = s.key AND old.sequence < $before${keepSystem ? " AND old.type <> 'system'" : ''}
${removal(labels, ['layout'])}
RETURN layout`;
  return { text, parameters: { key, before: BigInt(before), lock: {} } };
}

/** Returns the `layout` of what was the conversation; no row where there is none. */
export function deleteStatement(labels: Neo4jMemoryLabels, key: string): CypherStatement {
  const text = `${locked(labels)}
OPTIONAL MATCH (s)-[:HAS_MESSAGE]->(old:${escapedLabel(labels.message)}) WHERE layout <= ${LAYOUT}
${removal(labels, ['s', 'layout'])}
FOREACH (_ IN CASE WHEN layout <= ${LAYOUT} THEN [true] ELSE [] END | DETACH DELETE s)
RETURN layout`;
  return { text, parameters: { key, lock: {} } };
}

function locked(labels: Neo4jMemoryLabels): string {
  return `MATCH (s:${escapedLabel(labels.session)} {key: $key})
SET s += $lock
WITH s, s.layout AS layout`;
}
