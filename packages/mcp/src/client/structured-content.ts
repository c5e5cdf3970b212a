import { isRecord, type JsonSchema, type Logger, VernalError } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import type { McpToolDescription } from './listed-tools.js';
import type { McpCallToolResult } from './protocol-types.js';

const validator = jsonSchemaValidator();
const MAX_DEPTH = 64;

/** Checks structured content against the output schemas of tools, without generated code. */
export class StructuredContentCheck {
  readonly #logger: Logger;
  readonly #schemas = new WeakMap<McpToolDescription, JsonSchema | null>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Throws `mcp_response` when the tool does not keep what its own schema promises. */
  async check(connection: string, tool: McpToolDescription, result: McpCallToolResult): Promise<void> {
    if (tool.outputSchema === undefined || result.isError) return;
    const { structuredContent } = result;
    if (structuredContent === undefined) throw broken(connection, tool, 'it sent no structured content');
    const schema = this.#schemaOf(tool, tool.outputSchema);
    if (schema === null) return;
    let issue: { readonly message: string } | undefined;
    try {
      [issue] = await validator.validate(schema, structuredContent);
    } catch {
      // The schema says nothing that can be checked; the content is still what the tool gave.
      this.#schemas.set(tool, null);
      this.#logger.warn('The output schema of a tool of an MCP server cannot be used', { connection, tool: tool.name });
    }
    if (issue !== undefined) throw broken(connection, tool, issue.message);
  }

  #schemaOf(tool: McpToolDescription, outputSchema: JsonSchema): JsonSchema | null {
    let schema = this.#schemas.get(tool);
    if (schema === undefined) {
      const copy = withoutPatterns(outputSchema, 0);
      schema = isRecord(copy) ? copy : null;
      this.#schemas.set(tool, schema);
    }
    return schema;
  }
}

/**
 * A server that writes both the pattern and the text can keep a processor busy for years: patterns are left out. A property that is
 * named so stays.
 */
function withoutPatterns(schema: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(schema)) return schema.map((one) => withoutPatterns(one, depth + 1));
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'pattern' || key === 'patternProperties') return [];
    if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return [[key, value]];
    if ((key === 'properties' || key === '$defs' || key === 'definitions') && isRecord(value)) {
      const inner = Object.entries(value).map(([name, one]): [string, unknown] => [
        name,
        withoutPatterns(one, depth + 1),
      ]);
      return [[key, Object.fromEntries(inner)]];
    }
    // Without its patterns an object would refuse what they allowed.
    if (key === 'additionalProperties' && 'patternProperties' in schema) return [];
    return [[key, withoutPatterns(value, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

function broken(connection: string, tool: McpToolDescription, why: string): VernalError {
  return new VernalError(
    `Tool '${tool.name.slice(0, 80)}' of MCP server '${connection}' does not keep its output schema: ${why}`,
    { code: 'mcp_response', subject: 'structuredContent', details: { connection } },
  );
}
