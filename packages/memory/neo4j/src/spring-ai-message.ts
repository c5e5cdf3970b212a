import {
  assistantMessage,
  type JsonValue,
  type Media,
  type Message,
  type Metadata,
  media,
  systemMessage,
  toolResponseMessage,
  userMessage,
  VernalError,
} from '@vernal/core';
import type { Neo4jMemoryRecord } from './neo4j-memory-driver.js';

type Properties = Readonly<Record<string, unknown>>;

/** The message of a row with `type`, `text`, and lists of the properties of what stands beside it. */
export function springAiMessage(row: Neo4jMemoryRecord): Message {
  const parts = (name: string): readonly Properties[] => row.get(name) as readonly Properties[];
  // An answer that only calls tools may have no text.
  const text = textOf(row.get('text'));
  const metadata = metadataOf(parts('metadata'));
  switch (row.get('type')) {
    case 'user':
      return userMessage(text, { media: parts('media').map(mediaOf), metadata });
    case 'assistant': {
      const toolCalls = parts('calls').map((call) => ({
        id: textOf(call['id']),
        name: textOf(call['name']),
        arguments: textOf(call['arguments']),
      }));
      return assistantMessage({ text, toolCalls, media: parts('media').map(mediaOf), metadata });
    }
    case 'system':
      return systemMessage(text, { metadata });
    case 'tool': {
      const responses = parts('responses').map((one) => ({
        id: textOf(one['id']),
        name: textOf(one['name']),
        result: textOf(one['responseData']),
      }));
      return toolResponseMessage(responses, { metadata });
    }
    default:
      throw notSpringAis('a message has a type other than user, assistant, system and tool');
  }
}

function mediaOf({ mimeType, data, id, name }: Properties): Media {
  const options = {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  };
  const type = textOf(mimeType);
  // The driver gives bytes with a sign.
  if (ArrayBuffer.isView(data))
    return media(type, new Uint8Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)), options);
  if (typeof data === 'string' && URL.canParse(data)) return media(type, data, options);
  throw notSpringAis('media are neither bytes nor an address');
}

function metadataOf(nodes: readonly Properties[]): Metadata {
  const entries = nodes.flatMap((node) => Object.entries(node));
  return Object.fromEntries(entries.map(([key, value]) => [key, jsonOf(value)]));
}

/** Integers come as the driver is set, and times as objects of its own. */
function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value as JsonValue;
  if (Array.isArray(value)) return value.map(jsonOf);
  const isInteger = typeof value === 'bigint' || (typeof value === 'object' && value !== null && 'toNumber' in value);
  const number = isInteger ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : String(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function notSpringAis(what: string): VernalError {
  return new VernalError(`Not what Spring AI writes: ${what}; check \`labels\``, {
    code: 'store_read',
    subject: 'labels',
  });
}
