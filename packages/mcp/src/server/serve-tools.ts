import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { JsonSchema, ToolCallback, ToolContext, ToolResult } from '@vernal/core';
import { VernalError } from '@vernal/core';
import type { ServerParts } from './build-server.js';
import { invalidParams, protocolErrorIn } from './feature-error.js';
import { MCP_CALL, type McpCallContext } from './mcp-exchange.js';
import { mcpToolFacts } from './mcp-tool.js';
import { callToolResult } from './mcp-tool-result.js';
import { page } from './page.js';
import type { ServingServer } from './serving-server.js';

/** `tools/list` and `tools/call`. */
export function serveTools(server: ServingServer, parts: ServerParts): void {
  const { features, runner, access, options, mimeTypes, pageSize } = parts;
  server.server.setRequestHandler('tools/list', ({ params }, context) =>
    runner.list(server, context, 'tools/list', async (call) => {
      const tools = await access.visible('tool', await features.tools(), call);
      const { items, nextCursor } = page(tools, params?.cursor, pageSize);
      return {
        tools: items.map(([, tool]) => listed(tool)),
        ...(nextCursor === undefined ? undefined : { nextCursor }),
      };
    }),
  );
  const call = async (name: string, input: string, call: McpCallContext): Promise<CallToolResult> => {
    const tool = (await features.tools()).get(name);
    const facts = tool === undefined ? undefined : mcpToolFacts(tool);
    if (tool === undefined || !(await access.mayUse('tool', name, facts?.scopes, call)))
      throw invalidParams(`Tool ${name} not found`);
    const toolContext: ToolContext = {
      values: { ...options.toolContext?.(call), [MCP_CALL]: call },
      signal: call.signal,
      observation: call.observation,
      toolCallId: String(call.exchange.requestId),
      messages: [],
      progress: call.progress,
    };
    const answer = await answerOf(tool, input, toolContext);
    const result = callToolResult(answer, facts?.mimeType ?? mimeTypes.get(name));
    return server.server.projectCallToolResult(result, facts?.outputSchema);
  };
  server.server.setRequestHandler('tools/call', ({ params }, context) =>
    runner.run<CallToolResult>(
      server,
      context,
      { method: 'tools/call', target: params.name },
      (context) => call(params.name, JSON.stringify(params.arguments ?? {}), context),
      (text) => ({ content: [{ type: 'text', text }], isError: true }),
    ),
  );
}

/** A throw is told to the model, a protocol error to the client. */
async function answerOf(tool: ToolCallback, input: string, context: ToolContext): Promise<string | ToolResult> {
  try {
    return await tool.call(input, context);
  } catch (error) {
    const protocol = protocolErrorIn(error);
    if (protocol !== undefined) throw protocol;
    context.observation?.error(error);
    const kind = error instanceof Error && error.name !== '' ? ` (${error.name})` : '';
    const text = VernalError.is(error) ? error.message : `Tool '${tool.definition.name}' failed${kind}`;
    return { text, isError: true };
  }
}

function listed(tool: ToolCallback): Tool {
  const { name, description, inputSchema } = tool.definition;
  const { title, annotations, icons, meta, outputSchema } = mcpToolFacts(tool);
  const shown = title ?? annotations?.title;
  return {
    name,
    ...(shown === undefined ? undefined : { title: shown }),
    description,
    inputSchema: objectSchema(inputSchema),
    ...(outputSchema === undefined ? undefined : { outputSchema: objectSchema(outputSchema) }),
    ...(annotations === undefined ? undefined : { annotations }),
    ...(icons === undefined ? undefined : { icons: [...icons] }),
    ...(meta === undefined ? undefined : { _meta: { ...meta } }),
  };
}

/** The protocol's type wants the word 'object' spelled out; every tool's schema says it already. */
function objectSchema(schema: JsonSchema): Tool['inputSchema'] {
  return { ...schema, type: 'object' };
}
