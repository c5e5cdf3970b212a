import { invalidArgument } from '../errors/invalid-argument.js';
import { canonicalJson } from '../json/canonical-json.js';
import { isJsonValue } from '../json/is-json-value.js';
import { parseVersioned, readList, readObject, readOptionalText } from '../json/json-reader.js';
import type { JsonObject, JsonValue } from '../json/json-value.js';
import { setOwn } from '../json/own-property.js';
import { messageFromJson, messageToJson } from '../messages/message-json.js';
import { type ChatResponse, chatResponse, type GenerationInput, type ToolCallDelta } from './chat-response.js';
import type { Usage } from './usage.js';

const RESPONSE_VERSION = 1;

/**
 * Versioned, lossless JSON text, for caches; `usage.native` and metadata that is not JSON are left out (a metadata entry as a whole, so
 * that no half of it comes back).
 */
export function encodeResponse(response: ChatResponse): string {
  const { usage, ...metadata } = response.metadata;
  return canonicalJson({
    v: RESPONSE_VERSION,
    results: response.results.map(({ index, output, toolCallDeltas, metadata }) => ({
      index,
      output: messageToJson(output),
      toolCallDeltas: toolCallDeltas?.map((delta) => jsonEntries(delta)),
      metadata: jsonEntries(metadata),
    })),
    metadata: { ...jsonEntries(metadata), usage: usageToJson(usage) },
  });
}

/** Throws `message_version` for a newer version and `invalid_argument` for anything else that is not an encoded response. */
export function decodeResponse(text: string): ChatResponse {
  const json = parseVersioned(text, 'response', RESPONSE_VERSION);
  const metadata = readObject(json['metadata'], 'response.metadata');
  const usage = usageFromJson(metadata['usage'], 'response.metadata.usage');
  const decoded = chatResponse(readList(json['results'], 'response.results', generationFromJson), {
    ...metadata,
    usage,
  });
  return decoded;
}

function usageToJson({ native: _, rounds, ...counters }: Usage): JsonObject {
  return { ...counters, ...(rounds === undefined ? undefined : { rounds: rounds.map(usageToJson) }) };
}

function usageFromJson(value: JsonValue | undefined, path: string): Usage {
  const { rounds, ...counters } = readObject(value, path);
  for (const [name, count] of Object.entries(counters)) {
    if (typeof count !== 'number') throw invalidArgument(`${path}.${name}`, 'must be a number');
  }
  return {
    ...counters,
    ...(rounds === undefined ? undefined : { rounds: readList(rounds, `${path}.rounds`, usageFromJson) }),
  };
}

function generationFromJson(value: JsonValue, path: string): GenerationInput {
  const json = readObject(value, path);
  const output = messageFromJson(json['output'], `${path}.output`);
  if (output.type !== 'assistant') throw invalidArgument(`${path}.output.type`, "must be 'assistant'");
  const { index, toolCallDeltas } = json;
  if (typeof index !== 'number') throw invalidArgument(`${path}.index`, 'must be a number');
  return {
    index,
    output,
    toolCallDeltas:
      toolCallDeltas === undefined ? undefined : readList(toolCallDeltas, `${path}.toolCallDeltas`, deltaFromJson),
    metadata: readObject(json['metadata'], `${path}.metadata`),
  };
}

function deltaFromJson(value: JsonValue, path: string): ToolCallDelta {
  const json = readObject(value, path);
  const { index } = json;
  if (index !== undefined && typeof index !== 'number') throw invalidArgument(`${path}.index`, 'must be a number');
  const id = readOptionalText(json['id'], `${path}.id`);
  const name = readOptionalText(json['name'], `${path}.name`);
  const args = readOptionalText(json['arguments'], `${path}.arguments`);
  return {
    ...(index === undefined ? undefined : { index }),
    ...(id === undefined ? undefined : { id }),
    ...(name === undefined ? undefined : { name }),
    ...(args === undefined ? undefined : { arguments: args }),
  };
}

function jsonEntries(values: object): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(values)) {
    if (isJsonValue(value)) setOwn(kept, key, value);
  }
  return kept;
}
