import { type Logger, VernalError } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { cutText } from './cut-text.js';
import type { McpToolDescription } from './listed-tools.js';
import type { McpCallToolResult } from './protocol-types.js';

/**
 * The server writes the schema and the value: a pattern could keep a processor busy for years, and so could references that double at
 * every level, or many items that must differ. A value that takes more steps than this is refused; a large one of honest schemas, some
 * hundred thousand members, does not.
 */
const validator = jsonSchemaValidator({ patterns: false, maxSteps: 3_000_000 });

/** Checks structured content against the output schemas of tools, without generated code. */
export class StructuredContentCheck {
  readonly #logger: Logger;
  /** Tools whose schema says nothing that can be checked. */
  readonly #unusable = new WeakSet<McpToolDescription>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Throws `mcp_response` when the tool does not keep what its own schema promises. */
  async check(connection: string, tool: McpToolDescription, result: McpCallToolResult): Promise<void> {
    if (tool.outputSchema === undefined || result.isError) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw broken(connection, tool, 'it sent no structured content');
    if (this.#unusable.has(tool)) return;
    let issue: { readonly message: string } | undefined;
    try {
      [issue] = await validator.validate(tool.outputSchema, structuredContent);
    } catch {
      // The content is still what the tool gave.
      this.#unusable.add(tool);
      this.#logger.warn('The output schema of a tool of an MCP server cannot be used', { connection, tool: tool.name });
    }
    if (issue !== undefined) throw broken(connection, tool, issue.message);
  }
}

function broken(connection: string, tool: McpToolDescription, why: string): VernalError {
  return new VernalError(
    `Tool '${cutText(tool.name, 80)}' of MCP server '${connection}' does not keep its output schema: ${why}`,
    { code: 'mcp_response', subject: 'structuredContent', details: { connection } },
  );
}
