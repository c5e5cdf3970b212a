import type { Implementation, McpRequestContext, ScopeChallengeHandler } from '@modelcontextprotocol/server';
import { McpServer as SdkMcpServer } from '@modelcontextprotocol/server';
import type { JsonSchema } from '@vernal/core';
import { detachedCall } from './detached-call.js';
import type { McpCallContext } from './mcp-exchange.js';

/** What the SDK's entry points ask of a server before they hand it a request. */
export interface ServingHooks {
  /** The listed input schema of a tool: arguments that are mirrored in headers are checked against it. */
  inputSchemaOf(toolName: string): JsonSchema | undefined;
  /** All scopes of a tool, a resource (by URI) or a prompt that this caller may use but for a scope that is missing; else none. */
  missingScopes(kind: 'tool' | 'resource' | 'prompt', name: string, call: McpCallContext): Promise<readonly string[]>;
}

/** The SDK's server for one connection or one request; handlers are set by whoever makes it. */
export class ServingServer extends SdkMcpServer {
  readonly era: McpRequestContext['era'];
  readonly #hooks: ServingHooks;
  /** Requests that are being worked on. */
  activeCalls = 0;

  constructor(
    info: Implementation,
    instructions: string | undefined,
    era: McpRequestContext['era'],
    hooks: ServingHooks,
  ) {
    super(info, instructions === undefined ? {} : { instructions });
    this.era = era;
    this.#hooks = hooks;
  }

  /** Told when the server is closed, also one that never got as far as a transport. */
  onclosed: (() => void) | undefined;

  override async close(): Promise<void> {
    await super.close();
    this.onclosed?.();
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#hooks.inputSchemaOf(name);
  }

  override resolveScopeChallenge: ScopeChallengeHandler = async ({ request, authInfo }) => {
    if (authInfo === undefined) return undefined;
    const params: unknown = request.params;
    const kind = KINDS[request.method];
    const name = Reflect.get(Object(params), kind === 'resource' ? 'uri' : 'name');
    if (kind === undefined || typeof name !== 'string') return undefined;
    const call = detachedCall({ id: request.id, params, authInfo });
    const [first, ...rest] = await this.#hooks.missingScopes(kind, name, call);
    return first === undefined ? undefined : { scopes: [first, ...rest] };
  };
}

const KINDS: Readonly<Record<string, 'tool' | 'resource' | 'prompt' | undefined>> = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
};
