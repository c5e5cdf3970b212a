import { type Message, type SignalOptions, throwIfAborted } from '@vernal/core';
import { requireOptionNames } from '@vernal/core/adapter';
import type { CypherStatement } from './cypher-statement.js';
import { escapedLabel, memoryLabels, type Neo4jMemoryLabels } from './memory-labels.js';
import { databaseName } from './memory-settings.js';
import { Neo4jConnection } from './neo4j-connection.js';
import type { Neo4jMemoryDriver } from './neo4j-memory-driver.js';
import { springAiMessage } from './spring-ai-message.js';

/** Where Spring AI's nodes are. All may be left out. */
export interface SpringAiNeo4jOptions extends SignalOptions {
  /** As they are configured there. Default `Session`, `Message`, `ToolCall`, `ToolResponse`, `Metadata`, `Media`. */
  readonly labels?: Partial<Neo4jMemoryLabels> | undefined;
  /** Default the one of the user. */
  readonly database?: string | undefined;
}

/** A conversation as Spring AI has stored it. */
export interface SpringAiNeo4jConversation {
  readonly conversationId: string;
  /** Oldest first. */
  readonly messages: readonly Message[];
}

const DEFAULTS: Neo4jMemoryLabels = {
  session: 'Session',
  message: 'Message',
  toolCall: 'ToolCall',
  toolResponse: 'ToolResponse',
  metadata: 'Metadata',
  media: 'Media',
};

const TIMEOUT_MS = 60_000;

/**
 * The conversations in the nodes of Spring AI's `Neo4jChatMemoryRepository`, with tool calls, what tools gave, media and metadata; nothing is written.
 * The messages of one at a time are in memory.
 *
 * @throws VernalError `invalid_argument` for options that cannot be right, `store_read` for what the server refuses and for nodes that Spring AI
 * does not write
 * @example
 * ```ts
 * for await (const { conversationId, messages } of springAiNeo4jConversations(driver))
 *   await repository.append(conversationId, messages, { expectedSequence: 0 });
 * ```
 */
export async function* springAiNeo4jConversations(
  driver: Neo4jMemoryDriver,
  options: SpringAiNeo4jOptions = {},
): AsyncIterable<SpringAiNeo4jConversation> {
  requireOptionNames(options, ['labels', 'database', 'signal']);
  const { signal } = options;
  const labels = memoryLabels(options.labels, DEFAULTS);
  const settings = { database: databaseName(options.database), timeoutMs: TIMEOUT_MS };
  const connection = new Neo4jConnection({ driver }, settings);
  for (const session of await connection.run(sessionsStatement(labels), 'store_read', signal)) {
    const rows = await connection.run(messagesStatement(labels, session.get('nodes')), 'store_read', signal);
    throwIfAborted(signal);
    yield { conversationId: String(session.get('id')), messages: rows.map(springAiMessage) };
  }
}

/** No constraint keeps Spring AI from making two nodes for one id. Its ids have no index: the nodes are found again by themselves. */
function sessionsStatement({ session }: Neo4jMemoryLabels): CypherStatement {
  const text = `MATCH (s:${escapedLabel(session)}) WHERE s.id IS NOT NULL
RETURN s.id AS id, collect(elementId(s)) AS nodes ORDER BY id`;
  return { text, parameters: {} };
}

function messagesStatement(labels: Neo4jMemoryLabels, nodes: unknown): CypherStatement {
  const parts = (relationship: string, label: string): string =>
    `COLLECT { MATCH (m)-[:${relationship}]->(p:${escapedLabel(label)}) RETURN properties(p) ORDER BY toInteger(p.idx) }`;
  const text = `MATCH (s)-[:HAS_MESSAGE]->(m:${escapedLabel(labels.message)}) WHERE elementId(s) IN $nodes
RETURN m.messageType AS type, m.textContent AS text,
  ${parts('HAS_METADATA', labels.metadata)} AS metadata, ${parts('HAS_MEDIA', labels.media)} AS media,
  ${parts('HAS_TOOL_CALL', labels.toolCall)} AS calls, ${parts('HAS_TOOL_RESPONSE', labels.toolResponse)} AS responses
ORDER BY m.idx`;
  return { text, parameters: { nodes } };
}
