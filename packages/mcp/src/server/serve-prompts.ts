import type {
  ContentBlock,
  GetPromptResult,
  Prompt as ListedPrompt,
  PromptMessage,
} from '@modelcontextprotocol/server';
import type { Message, Prompt } from '@vernal/core';
import { isRecord, messageText, toJsonSchema } from '@vernal/core';
import type { ServerParts } from './build-server.js';
import { featureError, invalidParams } from './feature-error.js';
import type { McpPromptDefinition, McpPromptReturn } from './mcp-prompt.js';
import { mediaContent } from './mcp-tool-result.js';
import { page } from './page.js';
import { issuesText, readWithSchema } from './schema-value.js';
import type { ServingServer } from './serving-server.js';

/** `prompts/list` and `prompts/get`. */
export function servePrompts(server: ServingServer, parts: ServerParts): void {
  const { features, runner, access, pageSize } = parts;
  server.server.setRequestHandler('prompts/list', ({ params }, context) =>
    runner.list(server, context, 'prompts/list', async (call) => {
      const prompts = await access.visible('prompt', await features.prompts(), call);
      const { items, nextCursor } = page(prompts, params?.cursor, pageSize);
      return {
        prompts: items.map(([, prompt]) => listed(prompt)),
        ...(nextCursor === undefined ? undefined : { nextCursor }),
      };
    }),
  );
  server.server.setRequestHandler('prompts/get', ({ params }, context) =>
    runner.run(server, context, { method: 'prompts/get', target: params.name }, async (call) => {
      const prompt = (await features.prompts()).get(params.name);
      if (prompt === undefined || !(await access.mayUse('prompt', params.name, prompt.scopes, call)))
        throw invalidParams(`Prompt ${params.name} not found`);
      const input = await promptInput(prompt, params.arguments ?? {});
      try {
        // What the schema made of the arguments is what `render` was typed with.
        return promptResult(await prompt.render(input as never, call), prompt.description);
      } catch (error) {
        throw featureError(error, `Prompt ${params.name}`);
      }
    }),
  );
}

function listed(prompt: McpPromptDefinition): ListedPrompt {
  const { name, title, description, input, icons, meta } = prompt;
  return {
    name,
    ...(title === undefined ? undefined : { title }),
    ...(description === undefined ? undefined : { description }),
    ...(input === undefined ? undefined : { arguments: listedArguments(toJsonSchema(input)) }),
    ...(icons === undefined ? undefined : { icons: [...icons] }),
    ...(meta === undefined ? undefined : { _meta: { ...meta } }),
  };
}

function listedArguments(schema: Readonly<Record<string, unknown>>): NonNullable<ListedPrompt['arguments']> {
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).map(([name, property]) => {
    const { title, description } = isRecord(property) ? property : {};
    return {
      name,
      ...(typeof title === 'string' ? { title } : undefined),
      ...(typeof description === 'string' ? { description } : undefined),
      required: required.includes(name),
    };
  });
}

async function promptInput(prompt: McpPromptDefinition, given: Readonly<Record<string, string>>): Promise<unknown> {
  if (prompt.input === undefined) return {};
  const { properties } = toJsonSchema(prompt.input);
  const values = Object.entries(given).map(([name, text]) => {
    const property = isRecord(properties) ? properties[name] : undefined;
    return [name, isRecord(property) && isWritten(property['type']) ? readText(text) : text] as const;
  });
  const read = await readWithSchema(prompt.input, Object.fromEntries(values));
  if (read.issues === undefined) return read.value;
  throw invalidParams(`The arguments of prompt ${prompt.name} do not fit its schema: ${issuesText(read.issues)}`);
}

/** Types whose values clients write as JSON in a text. */
function isWritten(type: unknown): boolean {
  return type === 'number' || type === 'integer' || type === 'boolean' || type === 'array' || type === 'object';
}

/** What is no JSON is left to the schema to refuse. */
function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function promptResult(given: McpPromptReturn, description: string | undefined): GetPromptResult {
  if (isPromptResult(given)) return given;
  return { ...(description === undefined ? undefined : { description }), messages: promptMessages(given) };
}

function promptMessages(given: string | Message | readonly Message[] | Prompt): PromptMessage[] {
  if (typeof given === 'string') return [{ role: 'user', content: { type: 'text', text: given } }];
  if (isList(given)) return given.flatMap(fromMessage);
  return 'messages' in given ? given.messages.flatMap(fromMessage) : fromMessage(given);
}

/** One message for each part: the protocol's messages hold one piece of content. */
function fromMessage(message: Message): PromptMessage[] {
  const role = message.type === 'assistant' ? 'assistant' : 'user';
  const text = messageText(message);
  const media = message.type === 'user' || message.type === 'assistant' ? message.media.map(mediaContent) : [];
  const parts: ContentBlock[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media];
  return parts.map((content) => ({ role, content }));
}

function isList(given: unknown): given is readonly Message[] {
  return Array.isArray(given);
}

/** A `GetPromptResult` has messages with a role, a `Prompt` has messages with a type. */
function isPromptResult(given: McpPromptReturn): given is GetPromptResult {
  if (!isRecord(given) || !Array.isArray(given['messages'])) return false;
  return given['messages'].every((message: unknown) => isRecord(message) && typeof message['role'] === 'string');
}
