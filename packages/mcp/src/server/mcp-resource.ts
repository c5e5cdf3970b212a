import type { Annotations, Icon, ReadResourceResult } from '@modelcontextprotocol/server';
import { UriTemplate } from '@modelcontextprotocol/server';
import type { AnySchemaWithJson, InferOutput, Media, Resource, SchemaWithJson } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { BoundedTemplate } from './bounded-template.js';
import type { McpCompleters } from './mcp-completion.js';
import type { McpCallContext } from './mcp-exchange.js';

/** Variables of a URI template without a schema of their own: texts. */
export type UriVariables = SchemaWithJson<Readonly<Record<string, string>>, Readonly<Record<string, string>>>;

/** One resource behind a template, as clients list it. */
export interface McpListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
}

/** What `mcpResource()` and `@McpResource` share. */
export interface McpResourceSettings<S extends AnySchemaWithJson> {
  /**
   * The address, 'config://app', or a template of RFC 6570, 'notes://{folder}/{id}'. Something must stand between two variables. Addresses
   * of more than 8,192 characters are not found; where text between variables may belong to either, as in '{year}-{month}', of more
   * than 2,048, 256 and 96 (one to three such places; more are refused).
   */
  readonly uri: string;
  /** For people. Default: the name. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Default 'text/plain' for texts, 'application/json' for objects, the media's own, else 'application/octet-stream'. */
  readonly mimeType?: string | undefined;
  /** Whom it is for, how much it matters (0 to 1), when it changed. */
  readonly annotations?: Annotations | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the listed resource. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The template's variables: an object, by name; values come decoded. Default: all are texts. */
  readonly input?: S | undefined;
  /** Which resources a template stands for, as far as they can be listed. Default: none are. */
  readonly list?:
    | ((context: McpCallContext) => readonly McpListedResource[] | Promise<readonly McpListedResource[]>)
    | undefined;
  /** Suggestions, by the variable's name. */
  readonly complete?: McpCompleters | undefined;
  /** Scopes that the caller's token needs over HTTP; without them the answer is 403 'insufficient_scope'. Default none. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * What a resource gives: text, bytes, media, a `Resource` to read, a `ReadResourceResult` as it is, or anything else as JSON. undefined: there is no
 * such resource, which the client is told.
 */
export type McpResourceReturn = string | Uint8Array | Media | Resource | ReadResourceResult | object | undefined;

/** A resource as `mcpResource()` takes it. */
export interface McpResourceOptions<S extends AnySchemaWithJson> extends McpResourceSettings<S> {
  /** Default: the address. */
  readonly name?: string | undefined;
  readonly read: (
    variables: InferOutput<S>,
    context: McpResourceContext,
  ) => McpResourceReturn | Promise<McpResourceReturn>;
}

/** The second argument of a resource. */
export interface McpResourceContext extends McpCallContext {
  /** The address that was asked for. */
  readonly uri: string;
}

/** A resource, or a template of many, for `mcpServer({ resources })`. */
export interface McpResourceDefinition extends McpResourceSettings<AnySchemaWithJson> {
  readonly kind: 'mcp_resource';
  readonly name: string;
  /** Undefined for a fixed address. */
  readonly template?: UriTemplate | undefined;
  readonly read: (variables: never, context: McpResourceContext) => McpResourceReturn | Promise<McpResourceReturn>;
}

/**
 * Something that clients can read: at one address, or at all that fit a template, whose variables are bound by name.
 * Throws `invalid_argument` for what is neither an absolute URI nor a template of one that can be read back. Source: `@McpResource`.
 *
 * @example
 * mcpResource({
 *   uri: 'notes://{id}',
 *   input: z.object({ id: z.coerce.number().int() }),
 *   read: async ({ id }) => notes.get(id),
 * });
 */
export function mcpResource<S extends AnySchemaWithJson = UriVariables>(
  options: McpResourceOptions<S>,
): McpResourceDefinition {
  if (typeof options.read !== 'function') throw invalidArgument('read', 'must be a function');
  const template = templateOf(options.uri);
  return { ...options, kind: 'mcp_resource', name: options.name ?? options.uri, template };
}

function templateOf(uri: string): UriTemplate | undefined {
  const fault = "must be an absolute URI such as 'config://app', or a template of one such as 'notes://{id}'";
  if (typeof uri !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) throw invalidArgument('uri', fault);
  if (!UriTemplate.isTemplate(uri)) {
    if (/[{}]/.test(uri) || !URL.canParse(uri)) throw invalidArgument('uri', fault);
    return undefined;
  }
  try {
    return new BoundedTemplate(uri);
  } catch (cause) {
    throw invalidArgument('uri', `${fault}; this one ${cause instanceof Error ? cause.message : 'is neither'}`, cause);
  }
}
