import type { ApprovalDecision, ApproveTool, ToolDefinition } from '@vernal/core';
import { type McpToolReference, mcpToolOf } from './mcp-tool-callback.js';

/** Options of `approveByAnnotations`. */
export interface AnnotationApprovalOptions {
  /**
   * Connections whose annotations are believed: a server says of itself what its tools do, so only servers that you would let do it. `'all'`
   * believes every one. Default none: every call of an MCP tool is asked about.
   */
  readonly trust?: readonly string[] | 'all' | undefined;
  /** Decides what may run without a question, of the tools of trusted connections. Default: tools with `readOnlyHint`. */
  readonly harmless?: ((reference: McpToolReference) => boolean) | undefined;
  /** Asked about every other call of an MCP tool. Default 'defer': the turn waits for a person. */
  readonly ask?: ApproveTool | undefined;
  /** Asked about calls of tools of other kinds. Default: they run. */
  readonly others?: ApproveTool | undefined;
}

/**
 * The annotations of MCP tools as `approve` of a tool calling manager: what only reads runs, the rest is asked about.
 *
 * @example
 * new ToolCallingManager({ approve: approveByAnnotations({ trust: ['files'] }), approvalKey });
 */
export function approveByAnnotations(options: AnnotationApprovalOptions = {}): ApproveTool {
  const { trust = [], harmless = readsOnly, ask, others } = options;
  const trusted = (reference: McpToolReference): boolean => trust === 'all' || trust.includes(reference.connection);
  return (call, context): ApprovalDecision | Promise<ApprovalDecision> => {
    const reference = mcpToolOf(context.definition);
    if (reference === undefined) return others?.(call, context) ?? { type: 'approve' };
    if (trusted(reference) && harmless(reference)) return { type: 'approve' };
    return ask?.(call, context) ?? { type: 'defer' };
  };
}

/** What an MCP tool may do, by its hints and the defaults of the protocol; undefined for a tool of another kind. */
export function mcpToolHints(definition: ToolDefinition):
  | {
      readonly readOnly: boolean;
      readonly destructive: boolean;
      readonly idempotent: boolean;
      readonly openWorld: boolean;
    }
  | undefined {
  const reference = mcpToolOf(definition);
  if (reference === undefined) return undefined;
  const {
    readOnlyHint = false,
    destructiveHint = true,
    idempotentHint = false,
    openWorldHint = true,
  } = reference.tool.annotations ?? {};
  return {
    readOnly: readOnlyHint,
    destructive: !readOnlyHint && destructiveHint,
    idempotent: readOnlyHint || idempotentHint,
    openWorld: openWorldHint,
  };
}

function readsOnly({ tool }: McpToolReference): boolean {
  return tool.annotations?.readOnlyHint === true;
}
