import { invalidArgument } from '../errors/invalid-argument.js';
import type { JsonValue } from '../json/json-value.js';
import { type Metadata, NO_METADATA } from '../json/metadata.js';
import { setOwn } from '../json/own-property.js';
import type { Media } from '../media/media.js';
import type { Message, ToolResponse } from '../messages/message.js';

const NONE: readonly never[] = Object.freeze([]);

/**
 * A copy that shares nothing with the message and cannot be changed: it may be handed out again and again without copying. Bytes are
 * copied; they are the one part that JavaScript cannot freeze.
 */
export function frozenMessage(message: Message): Message {
  const metadata = frozenMetadata(message.metadata);
  switch (message.type) {
    case 'user':
      return Object.freeze({
        type: 'user',
        text: checkedText(message.text),
        media: frozenList(message.media, frozenMedia, 'media'),
        metadata,
      });
    case 'assistant':
      return Object.freeze({
        type: 'assistant',
        text: checkedText(message.text),
        toolCalls: frozenList(message.toolCalls, frozenCopy, 'toolCalls'),
        media: frozenList(message.media, frozenMedia, 'media'),
        reasoning: frozenList(message.reasoning, frozenCopy, 'reasoning'),
        metadata,
      });
    case 'tool':
      return Object.freeze({
        type: 'tool',
        responses: frozenList(message.responses, frozenResponse, 'responses'),
        metadata,
      });
    case 'system':
      return Object.freeze({ type: 'system', text: checkedText(message.text), metadata });
    default:
      throw invalidArgument('message.type', "must be 'system', 'user', 'assistant' or 'tool'");
  }
}

function checkedText(text: string): string {
  if (typeof text === 'string') return text;
  throw invalidArgument('message.text', 'must be text; make messages with the factories');
}

function frozenList<T>(list: readonly T[], item: (value: T) => T, field: string): readonly T[] {
  if (!Array.isArray(list))
    throw invalidArgument(`message.${field}`, 'must be a list; make messages with the factories');
  return list.length === 0 ? NONE : Object.freeze(list.map(item));
}

function frozenCopy<T extends object>(value: T): T {
  return Object.freeze({ ...value });
}

function frozenMedia(media: Media): Media {
  const { source } = media;
  const copy = source.type === 'bytes' ? { ...source, bytes: source.bytes.slice() } : { ...source };
  return Object.freeze({ ...media, source: Object.freeze(copy) });
}

function frozenResponse(response: ToolResponse): ToolResponse {
  return Object.freeze({
    ...response,
    ...(response.media === undefined
      ? undefined
      : { media: frozenList(response.media, frozenMedia, 'responses.media') }),
    ...(response.structured === undefined ? undefined : { structured: frozenJson(response.structured) }),
  });
}

function frozenMetadata(metadata: Metadata): Metadata {
  if (metadata === NO_METADATA) return metadata;
  for (const _ in metadata) return frozenObject(metadata);
  return NO_METADATA;
}

function frozenJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? Object.freeze(value.map(frozenJson)) : frozenObject(value);
}

function frozenObject(value: Metadata): Metadata {
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) setOwn(copy, key, frozenJson(member));
  return Object.freeze(copy);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
