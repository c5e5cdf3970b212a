import { invalidArgument } from '../errors/invalid-argument.js';
import { readList, readObject, readOptionalText, readText } from '../json/json-reader.js';
import type { JsonObject, JsonValue } from '../json/json-value.js';
import { base64ToBytes, bytesToBase64, normalizeBase64 } from '../media/base64.js';
import type { Media, MediaSource } from '../media/media.js';
import type { Message, ReasoningPart, ToolCall, ToolResponse } from './message.js';
import { assistantMessage, systemMessage, toolResponseMessage, userMessage } from './message-factories.js';

/** A message as JSON: bytes as base64 under another name, everything else as it is. Members stand in the order of canonical JSON. */
export function messageToJson(message: Message): JsonObject {
  const { metadata } = message;
  switch (message.type) {
    case 'system':
      return { metadata, text: message.text, type: 'system' };
    case 'user':
      return { media: message.media.map(mediaToJson), metadata, text: message.text, type: 'user' };
    case 'assistant':
      return {
        media: message.media.map(mediaToJson),
        metadata,
        reasoning: message.reasoning.map((part) => definedOf(part)),
        text: message.text,
        toolCalls: message.toolCalls.map(({ id, name, arguments: args }) => ({ arguments: args, id, name })),
        type: 'assistant',
      };
    case 'tool':
      return { metadata, responses: message.responses.map(responseToJson), type: 'tool' };
    default:
      throw invalidArgument('message.type', "must be 'system', 'user', 'assistant' or 'tool'");
  }
}

export function messageFromJson(value: JsonValue | undefined, path: string): Message {
  const json = readObject(value, path);
  const metadata = readObject(json['metadata'], `${path}.metadata`);
  switch (json['type']) {
    case 'system':
      return systemMessage(readText(json['text'], `${path}.text`), { metadata });
    case 'user':
      return userMessage(readText(json['text'], `${path}.text`), { media: readMedia(json, path), metadata });
    case 'assistant':
      return assistantMessage({
        text: readText(json['text'], `${path}.text`),
        toolCalls: readList(json['toolCalls'], `${path}.toolCalls`, toolCallFromJson),
        media: readMedia(json, path),
        reasoning: readList(json['reasoning'], `${path}.reasoning`, reasoningFromJson),
        metadata,
      });
    case 'tool':
      return toolResponseMessage(readList(json['responses'], `${path}.responses`, responseFromJson), { metadata });
    default:
      throw invalidArgument(`${path}.type`, "must be 'system', 'user', 'assistant' or 'tool'");
  }
}

function mediaToJson({ mimeType, source, id, name }: Media): JsonObject {
  return {
    mimeType,
    source: source.type === 'bytes' ? { type: 'bytes', base64: bytesToBase64(source.bytes) } : { ...source },
    ...(id === undefined ? undefined : { id }),
    ...(name === undefined ? undefined : { name }),
  };
}

function readMedia(json: JsonObject, path: string): Media[] {
  return readList(json['media'], `${path}.media`, mediaFromJson);
}

function mediaFromJson(value: JsonValue, path: string): Media {
  const json = readObject(value, path);
  const id = readOptionalText(json['id'], `${path}.id`);
  const name = readOptionalText(json['name'], `${path}.name`);
  return {
    mimeType: readText(json['mimeType'], `${path}.mimeType`),
    source: sourceFromJson(json['source'], `${path}.source`),
    ...(id === undefined ? undefined : { id }),
    ...(name === undefined ? undefined : { name }),
  };
}

function sourceFromJson(value: JsonValue | undefined, path: string): MediaSource {
  const json = readObject(value, path);
  switch (json['type']) {
    case 'bytes': {
      const base64 = normalizeBase64(readText(json['base64'], `${path}.base64`), `${path}.base64`);
      return { type: 'bytes', bytes: base64ToBytes(base64) };
    }
    case 'base64':
      return { type: 'base64', base64: readText(json['base64'], `${path}.base64`) };
    case 'url':
      return { type: 'url', url: readText(json['url'], `${path}.url`) };
    default:
      throw invalidArgument(`${path}.type`, "must be 'bytes', 'base64' or 'url'");
  }
}

function toolCallFromJson(value: JsonValue, path: string): ToolCall {
  const json = readObject(value, path);
  return {
    id: readText(json['id'], `${path}.id`),
    name: readText(json['name'], `${path}.name`),
    arguments: readText(json['arguments'], `${path}.arguments`),
  };
}

function reasoningFromJson(value: JsonValue, path: string): ReasoningPart {
  const json = readObject(value, path);
  const index = json['index'];
  if (index !== undefined && typeof index !== 'number') throw invalidArgument(`${path}.index`, 'must be a number');
  return definedOf({
    text: readOptionalText(json['text'], `${path}.text`),
    signature: readOptionalText(json['signature'], `${path}.signature`),
    redactedData: readOptionalText(json['redactedData'], `${path}.redactedData`),
    provider: readOptionalText(json['provider'], `${path}.provider`),
    index,
  });
}

function definedOf(
  part: { readonly [K in keyof ReasoningPart]?: ReasoningPart[K] | undefined },
): ReasoningPart & JsonObject {
  const { text, signature, redactedData, provider, index } = part;
  return {
    ...(text === undefined ? undefined : { text }),
    ...(signature === undefined ? undefined : { signature }),
    ...(redactedData === undefined ? undefined : { redactedData }),
    ...(provider === undefined ? undefined : { provider }),
    ...(index === undefined ? undefined : { index }),
  };
}

function responseToJson(response: ToolResponse): JsonObject {
  const { id, name, result, media, structured, isError } = response;
  return {
    id,
    name,
    result,
    ...(media === undefined ? undefined : { media: media.map(mediaToJson) }),
    ...(structured === undefined ? undefined : { structured }),
    ...(isError === undefined ? undefined : { isError }),
  };
}

function responseFromJson(value: JsonValue, path: string): ToolResponse {
  const json = readObject(value, path);
  const { media, structured, isError } = json;
  if (isError !== undefined && typeof isError !== 'boolean')
    throw invalidArgument(`${path}.isError`, 'must be a boolean');
  return {
    id: readText(json['id'], `${path}.id`),
    name: readText(json['name'], `${path}.name`),
    result: readText(json['result'], `${path}.result`),
    ...(media === undefined ? undefined : { media: readMedia(json, path) }),
    ...(structured === undefined ? undefined : { structured }),
    ...(isError === undefined ? undefined : { isError }),
  };
}
