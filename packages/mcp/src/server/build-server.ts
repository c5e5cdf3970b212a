import type { Implementation, McpRequestContext, ServerCapabilities } from '@modelcontextprotocol/server';
import type { CallRunner } from './call-runner.js';
import type { FeatureAccess } from './feature-access.js';
import { findResource } from './find-resource.js';
import type { McpFeatures } from './mcp-features.js';
import { hasScopes } from './mcp-principal.js';
import type { McpAuthorizationRequest, McpServerOptions } from './mcp-server-options.js';
import { mcpToolFacts } from './mcp-tool.js';
import { serveCompletions } from './serve-completions.js';
import { servePrompts } from './serve-prompts.js';
import { serveResources } from './serve-resources.js';
import { serveTools } from './serve-tools.js';
import { type ServingHooks, ServingServer } from './serving-server.js';

/** What the servers of all connections share. */
export interface ServerParts {
  readonly options: McpServerOptions;
  readonly info: Implementation;
  readonly features: McpFeatures;
  readonly runner: CallRunner;
  readonly access: FeatureAccess;
  readonly capabilities: ServerCapabilities;
  /** Of tools whose text is base64, by the tool's name. */
  readonly mimeTypes: ReadonlyMap<string, string>;
  readonly pageSize: number;
  /** Of one client. */
  readonly maxSubscriptions: number;
}

/** The server of one connection, or of one request, and the resources that its client watches. */
export interface BuiltServer {
  readonly server: ServingServer;
  readonly subscriptions: Set<string>;
}

export function buildServer(parts: ServerParts, era: McpRequestContext['era']): BuiltServer {
  const { options, capabilities } = parts;
  const subscriptions = new Set<string>();
  const server = new ServingServer(parts.info, options.instructions, era, hooks(parts));
  server.server.registerCapabilities(capabilities);
  if (capabilities.tools !== undefined) serveTools(server, parts);
  if (capabilities.resources !== undefined) serveResources(server, parts, subscriptions);
  if (capabilities.prompts !== undefined) servePrompts(server, parts);
  if (capabilities.completions !== undefined) serveCompletions(server, parts);
  if (options.onRootsChanged !== undefined)
    server.server.setNotificationHandler('notifications/roots/list_changed', () => {
      options.onRootsChanged?.({ sessionId: server.server.transport?.sessionId });
    });
  return { server, subscriptions };
}

/** What is offered: by default all there is. */
export function capabilitiesOf(options: McpServerOptions, features: McpFeatures): ServerCapabilities {
  const { capabilities = {} } = options;
  const listChanged = capabilities.listChanged ?? true;
  const completes = features.completions.length > 0 || features.mayComplete;
  return {
    ...((capabilities.tools ?? features.hasTools) ? { tools: { listChanged } } : undefined),
    ...((capabilities.resources ?? features.hasResources)
      ? { resources: { listChanged, subscribe: true } }
      : undefined),
    ...((capabilities.prompts ?? features.hasPrompts) ? { prompts: { listChanged } } : undefined),
    ...((capabilities.completions ?? completes) ? { completions: {} } : undefined),
    ...((capabilities.logging ?? true) ? { logging: {} } : undefined),
  };
}

function hooks({ features, access }: ServerParts): ServingHooks {
  const scopesOf = async (kind: McpAuthorizationRequest['kind'], name: string): Promise<Scoped | undefined> => {
    if (kind === 'prompt') return { name, scopes: (await features.prompts()).get(name)?.scopes };
    if (kind === 'tool') {
      const tool = (await features.tools()).get(name);
      return tool === undefined ? undefined : { name, scopes: mcpToolFacts(tool).scopes };
    }
    const found = findResource(await features.resources(), name)?.resource;
    return found === undefined ? undefined : { name: found.uri, scopes: found.scopes };
  };
  return {
    inputSchemaOf: (name) => features.latestTools.get(name)?.definition.inputSchema,
    async missingScopes(kind, name, call) {
      const { name: known = name, scopes = [] } = (await scopesOf(kind, name)) ?? {};
      // What this caller may not use is not there: its scopes would tell of it.
      if (hasScopes(call.principal, scopes) || !(await access.allows(kind, known, 'use', call))) return [];
      return scopes;
    },
  };
}

interface Scoped {
  readonly name: string;
  readonly scopes: readonly string[] | undefined;
}
