import { invalidArgument } from '@vernal/core';

/** Labels of the nodes. Source: the `sessionLabel`, `messageLabel` … of `Neo4jChatMemoryRepositoryConfig` of Spring AI. */
export interface Neo4jMemoryLabels {
  /** Of a conversation. */
  readonly session: string;
  readonly message: string;
  readonly toolCall: string;
  readonly toolResponse: string;
  readonly metadata: string;
  readonly media: string;
}

/** Not those of Spring AI, whose nodes have other properties. */
const DEFAULTS: Neo4jMemoryLabels = {
  session: 'ChatSession',
  message: 'ChatMessage',
  toolCall: 'ChatToolCall',
  toolResponse: 'ChatToolResponse',
  metadata: 'ChatMetadata',
  media: 'ChatMedia',
};

/** A backslash may begin the escape of another character, a backtick's too, even between backticks. */
const NO_LABEL = /\p{Cc}|\p{Surrogate}|\\/u;
const LONGEST = 255;

/** Throws `invalid_argument` for what is no label, for two that are equal, and for a name that is none of the six. */
export function memoryLabels(
  given: Partial<Neo4jMemoryLabels> | undefined,
  defaults: Neo4jMemoryLabels = DEFAULTS,
): Neo4jMemoryLabels {
  if (given !== undefined && (typeof given !== 'object' || given === null))
    throw invalidArgument('labels', "must be an object, such as { session: 'Session' }");
  for (const name of Object.keys(given ?? {})) {
    if (!Object.hasOwn(defaults, name))
      throw invalidArgument(`labels.${name}`, `is no label; there are ${Object.keys(defaults).join(', ')}`);
  }
  const { session, message, toolCall, toolResponse, metadata, media } = { ...defaults, ...defined(given) };
  const labels = { session, message, toolCall, toolResponse, metadata, media };
  for (const [name, label] of Object.entries(labels)) checkLabel(name, label);
  if (new Set(Object.values(labels)).size < Object.keys(labels).length)
    throw invalidArgument('labels', 'must all be different');
  return labels;
}

/** As Cypher takes it. */
export function escapedLabel(label: string): string {
  return `\`${label.replaceAll('`', '``')}\``;
}

function checkLabel(name: string, label: unknown): void {
  if (typeof label === 'string' && label.trim() !== '' && label.length <= LONGEST && !NO_LABEL.test(label)) return;
  throw invalidArgument(
    `labels.${name}`,
    `must be a text of 1 to ${LONGEST} characters, without control characters and backslashes`,
  );
}

function defined(given: Partial<Neo4jMemoryLabels> = {}): Partial<Neo4jMemoryLabels> {
  return Object.fromEntries(Object.entries(given).filter(([, label]) => label !== undefined));
}
