import type { StandardSchemaV1, Tool, ToolAnnotations } from '@modelcontextprotocol/client';
import { isRecord, type JsonSchema, type Logger } from '@vernal/core';

/** A tool as its server describes it; `raw` is what came over the wire. */
export interface McpToolDescription {
  /** The server's own name for it: what `callTool` takes. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Always of an object, with `properties`. */
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: JsonSchema;
  /** Hints, and no promises: believe them of servers that you trust. */
  readonly annotations?: ToolAnnotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly execution?: Tool['execution'];
}

/** Lets any object through: one tool that is wrong must not take the others of its list away. */
export const anyObject: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'vernal',
    validate: (value) => (isRecord(value) ? { value: { ...value } } : { issues: [{ message: 'must be an object' }] }),
  },
};

/**
 * The tools of a listing that can be used, in its order. Left out, with a warning: what has no name, what has the name of an earlier
 * one, what takes no object, and what can only run as a task.
 */
export function usableTools(listed: readonly unknown[], logger: Logger, connection: string): McpToolDescription[] {
  const names = new Set<string>();
  return listed.flatMap((one, index) => {
    const fault = faultOf(one, names);
    if (fault === undefined && isRecord(one) && typeof one['name'] === 'string') {
      names.add(one['name']);
      return [described(one, one['name'])];
    }
    logger.warn('A tool of an MCP server is left out', { connection, index, fault: fault ?? 'no name' });
    return [];
  });
}

function faultOf(one: unknown, names: ReadonlySet<string>): string | undefined {
  if (!isRecord(one)) return 'no object';
  const name = one['name'];
  if (typeof name !== 'string' || name === '') return 'no name';
  if (names.has(name)) return 'a name that another tool of this server has';
  const schema = one['inputSchema'];
  if (isRecord(schema) && schema['type'] !== undefined && schema['type'] !== 'object') return 'takes no object';
  const execution = one['execution'];
  return isRecord(execution) && execution['taskSupport'] === 'required' ? 'runs as a task only' : undefined;
}

function described(tool: Readonly<Record<string, unknown>>, name: string): McpToolDescription {
  const { title, description, inputSchema, outputSchema, annotations, _meta } = tool;
  const schema = isRecord(inputSchema) ? inputSchema : {};
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return {
    name,
    ...(typeof title === 'string' ? { title } : undefined),
    ...(typeof description === 'string' ? { description } : undefined),
    inputSchema: { ...schema, type: 'object', properties },
    ...(isRecord(outputSchema) ? { outputSchema } : undefined),
    ...(isRecord(annotations) ? { annotations: hints(annotations) } : undefined),
    ...(isRecord(_meta) ? { _meta } : undefined),
  };
}

function hints(annotations: Readonly<Record<string, unknown>>): ToolAnnotations {
  const found: ToolAnnotations = {};
  if (typeof annotations['title'] === 'string') found.title = annotations['title'];
  for (const key of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
    const value = annotations[key];
    if (typeof value === 'boolean') found[key] = value;
  }
  return found;
}
