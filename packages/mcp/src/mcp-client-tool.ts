import type { ToolCallback } from '@vernal/core';

/** On tools that another MCP server runs; registered, so that two copies of the package agree. */
const MCP_CLIENT_TOOL: unique symbol = Symbol.for('vernal.mcp.client.tool');

/** Notes on a tool that another MCP server runs it: a server of one's own does not pass it on unasked. */
export function markMcpClientTool<T extends ToolCallback>(tool: T): T {
  return Object.defineProperty(tool, MCP_CLIENT_TOOL, { value: true });
}

/** Whether another MCP server runs the tool. */
export function isMcpClientTool(tool: ToolCallback): boolean {
  return Reflect.get(tool, MCP_CLIENT_TOOL) === true;
}
