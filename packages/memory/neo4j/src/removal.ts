import { escapedLabel, type Neo4jMemoryLabels } from './memory-labels.js';

/**
 * Clauses that delete the messages bound to `old`, one a row, with all that stands beside them, and give one row of `kept` again. Nodes of
 * others that somebody has tied to a message stay.
 */
export function removal(
  { toolCall, toolResponse, metadata, media }: Neo4jMemoryLabels,
  kept: readonly string[],
): string {
  const isOurs = [toolCall, toolResponse, metadata, media].map((label) => `part:${escapedLabel(label)}`).join(' OR ');
  return `OPTIONAL MATCH (old)-[:HAS_METADATA|HAS_MEDIA|HAS_TOOL_CALL|HAS_TOOL_RESPONSE*1..2]->(part) WHERE ${isOurs}
WITH ${kept.join(', ')}, collect(DISTINCT old) AS olds, collect(DISTINCT part) AS parts
FOREACH (one IN parts | DETACH DELETE one)
FOREACH (one IN olds | DETACH DELETE one)`;
}
