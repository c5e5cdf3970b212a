import {
  isRecord,
  type JsonSchema,
  type ToolCallback,
  type ToolContext,
  type ToolDefinition,
  ToolExecutionError,
  type ToolResult,
  VernalError,
} from '@vernal/core';
import { markMcpClientTool } from '../mcp-client-tool.js';
import { cutText } from './cut-text.js';
import type { McpToolDescription } from './listed-tools.js';
import type { McpCallOptions, McpConnection } from './mcp-connection.js';
import type { McpToolOrigin, McpToolsOptions } from './mcp-tools.js';
import { toolResultOf } from './tool-content.js';

/** Registered, so that what one copy of the package puts there another finds. */
const MCP_TOOL: unique symbol = Symbol.for('vernal.mcp.tool');

/** Where a tool of a chat client comes from. */
export interface McpToolReference {
  /** Name of the connection. */
  readonly connection: string;
  readonly tool: McpToolDescription;
}

interface McpToolDefinition extends ToolDefinition {
  readonly [MCP_TOOL]: McpToolReference;
}

/** The MCP tool behind a definition, with its annotations; undefined for a tool of another kind. For `approve` and for logs. */
export function mcpToolOf(definition: ToolDefinition): McpToolReference | undefined {
  const found: unknown = Reflect.get(definition, MCP_TOOL);
  return isReference(found) ? found : undefined;
}

/** A tool of a server as a tool of ours. */
export function mcpToolCallback(
  connection: McpConnection,
  tool: McpToolDescription,
  origin: McpToolOrigin,
  name: string,
  options: McpToolsOptions,
): ToolCallback {
  const { meta, protocolErrors = 'throw', maxTextLength = 400_000, maxDescriptionLength = 8_192 } = options;
  const description =
    options.description?.(tool, origin) ?? tool.description ?? tool.title ?? tool.annotations?.title ?? tool.name;
  const definition: McpToolDefinition = {
    name,
    description: cutText(description, maxDescriptionLength),
    inputSchema: forModels(tool.inputSchema),
    [MCP_TOOL]: { connection: connection.name, tool },
  };
  return markMcpClientTool({
    definition,
    metadata: { returnDirect: options.returnDirect?.(tool, origin) ?? false },
    async call(input: string, context?: ToolContext): Promise<ToolResult> {
      const toolCallId = context?.toolCallId;
      const args = argumentsOf(input, name, toolCallId);
      try {
        const result = await connection.callTool(
          tool.name,
          args,
          callOptions(context, context && meta?.(context, tool, origin)),
        );
        return toolResultOf(result, maxTextLength);
      } catch (error) {
        throw failure(error, name, toolCallId, protocolErrors === 'throw');
      }
    },
  });
}

function callOptions(
  context: ToolContext | undefined,
  meta: Readonly<Record<string, unknown>> | undefined,
): McpCallOptions {
  if (context === undefined) return {};
  return {
    signal: context.signal,
    observation: context.observation,
    meta,
    ...(context.progress === undefined ? undefined : { onProgress: (progress) => context.progress?.(progress) }),
  };
}

function argumentsOf(
  input: string,
  toolName: string,
  toolCallId: string | undefined,
): Readonly<Record<string, unknown>> {
  if (input.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    // The parser's own message quotes the text.
    value = undefined;
  }
  if (isRecord(value)) return value;
  throw new ToolExecutionError(`The arguments of '${toolName}' must be a JSON object`, { toolName, toolCallId });
}

function failure(
  error: unknown,
  toolName: string,
  toolCallId: string | undefined,
  throwProtocolErrors: boolean,
): ToolExecutionError {
  if (!VernalError.is(error))
    return new ToolExecutionError(`The tool '${toolName}' could not be called`, { toolName, toolCallId, cause: error });
  const { code, details, message, retryable } = error;
  const fatal = code === 'mcp_protocol' && throwProtocolErrors;
  return new ToolExecutionError(message, { code, toolName, toolCallId, details, retryable, fatal, cause: error });
}

/** `$schema` says a dialect that providers do not want to be told. */
function forModels(schema: JsonSchema): JsonSchema {
  if (!('$schema' in schema)) return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

function isReference(value: unknown): value is McpToolReference {
  return isRecord(value) && typeof value['connection'] === 'string' && isRecord(value['tool']);
}
