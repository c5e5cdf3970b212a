import { invalidArgument } from '../errors/invalid-argument.js';
import { ToolExecutionError } from '../errors/tool-execution-error.js';
import type { JsonObject, JsonSchema, JsonValue } from '../json/json-value.js';
import { setOwn } from '../json/own-property.js';
import { toJsonSchema } from '../schema/json-schema.js';
import { withoutOptionalNulls } from '../schema/optional-nulls.js';
import type { AnySchemaWithJson, InferOutput } from '../schema/standard-schema.js';
import { parseToolArguments } from './parse-tool-arguments.js';
import type { ToolCallback, ToolDefinition, ToolSource } from './tool-callback.js';
import { type CheckedToolCallback, checkToolArguments, TOOL_CHECK } from './tool-check.js';
import { emptyToolContext } from './tool-context.js';
import { validateArguments } from './tool-input.js';
import { flattenToolSources, isProvider } from './tool-sources.js';

/**
 * Adds parameters to every tool of `source`, hands them to `onArguments`, and takes them out before the tool runs unless `keep`.
 * Everything else of the tools stays as it is, `returnDirect` too. What `onArguments` throws is a failure of the call.
 *
 * Throws `invalid_argument` when `input` has no properties, when a tool has a parameter or definition of the same name already,
 * and for a provider that answers with a promise: await its `toolCallbacks()` and give the list.
 * Source: `AugmentedToolCallbackProvider` of spring-ai-model.
 *
 * @example
 * const tools = augmentTools([weather], {
 *   input: z.object({ reason: z.string().describe('Why you call this tool') }),
 *   onArguments: ({ definition, arguments: { reason } }) => logger.info(definition.name, { reason }),
 * });
 */
export function augmentTools<S extends AnySchemaWithJson>(
  source: ToolSource,
  options: {
    readonly input: S;
    readonly onArguments: (event: {
      readonly definition: ToolDefinition;
      readonly rawInput: string;
      readonly arguments: InferOutput<S>;
    }) => void;
    readonly keep?: boolean | undefined;
  },
): ToolCallback[] {
  const { input, onArguments, keep = false } = options;
  const added = toJsonSchema(input);
  const names = Object.keys(membersOf(added, 'properties'));
  if (names.length === 0) throw invalidArgument('input', 'augmentTools needs a schema with at least one property');

  return tools(source).map((tool): CheckedToolCallback => {
    const { definition } = tool;
    const split = async (
      text: string,
      toolCallId: string,
    ): Promise<{ readonly own: string; readonly extra: InferOutput<S> }> => {
      const { own, extra } = divide(
        parseToolArguments(text, definition.name, toolCallId),
        names,
        definition.name,
        toolCallId,
      );
      return {
        own: keep ? text : JSON.stringify(own),
        extra: await validateArguments(input, withoutOptionalNulls(extra, added), definition.name, toolCallId),
      };
    };
    return {
      definition: { ...definition, inputSchema: mergeSchemas(definition, added) },
      metadata: tool.metadata,
      async call(text, context = emptyToolContext()) {
        const { own, extra } = await split(text, context.toolCallId);
        onArguments({ definition, rawInput: text, arguments: extra });
        return tool.call(own, context);
      },
      async [TOOL_CHECK](text, toolCallId) {
        await checkToolArguments(tool, (await split(text, toolCallId)).own, toolCallId);
      },
    };
  });
}

function tools(source: ToolSource): readonly ToolCallback[] {
  return flattenToolSources([source]).flatMap((one): readonly ToolCallback[] => {
    if (!isProvider(one)) return [one];
    const given = one.toolCallbacks();
    if (given instanceof Promise)
      throw invalidArgument('source', 'the provider answers later: await its toolCallbacks() and give the list');
    return given;
  });
}

function divide(
  value: JsonValue,
  names: readonly string[],
  toolName: string,
  toolCallId: string,
): { readonly own: JsonObject; readonly extra: JsonObject } {
  if (typeof value !== 'object' || value === null || isList(value))
    throw new ToolExecutionError(`The arguments of tool '${toolName}' must be a JSON object`, { toolName, toolCallId });
  const own: Record<string, JsonValue> = {};
  const extra: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) setOwn(names.includes(key) ? extra : own, key, member);
  return { own, extra };
}

function mergeSchemas(definition: ToolDefinition, added: JsonSchema): JsonSchema {
  const own = definition.inputSchema;
  const required = [...listOf(own['required']), ...listOf(added['required'])];
  return {
    ...own,
    type: 'object',
    properties: mergeMembers(definition.name, 'properties', own, added),
    ...(required.length === 0 ? undefined : { required }),
    ...mergedDefinitions(definition.name, own, added),
  };
}

function mergedDefinitions(toolName: string, own: JsonSchema, added: JsonSchema): JsonSchema {
  const $defs = mergeMembers(toolName, '$defs', own, added);
  return Object.keys($defs).length === 0 ? {} : { $defs };
}

function mergeMembers(toolName: string, keyword: string, own: JsonSchema, added: JsonSchema): JsonSchema {
  const [below, above] = [membersOf(own, keyword), membersOf(added, keyword)];
  const clash = Object.keys(above).find((name) => Object.hasOwn(below, name));
  if (clash !== undefined)
    throw invalidArgument('input', `tool '${toolName}' has '${clash}' in its ${keyword} already; rename one of them`);
  return { ...below, ...above };
}

function membersOf(schema: JsonSchema, keyword: string): JsonSchema {
  const members = schema[keyword];
  return typeof members === 'object' && members !== null ? { ...members } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
