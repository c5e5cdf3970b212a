import type { Logger, ToolCallback, ToolCallbackProvider } from '@vernal/core';
import { flattenToolSources, invalidArgument, noopLogger, safeLogger, toolsFrom } from '@vernal/core';
import { isMcpClientTool } from '../mcp-client-tool.js';
import type { McpCompletion } from './mcp-completion.js';
import { type McpFeature, mcpFeaturesOf } from './mcp-method.js';
import type { McpPromptDefinition } from './mcp-prompt.js';
import type { McpResourceDefinition } from './mcp-resource.js';
import type { McpServerOptions, McpSource } from './mcp-server-options.js';
import { vectorStoreTool } from './vector-store-tool.js';

/** All that a server offers, gathered from its options. What is fixed is checked at once; what is provided is asked each time. */
export class McpFeatures {
  readonly completions: readonly McpCompletion[];
  readonly #tools: NamedList<ToolCallback>;
  readonly #resources: NamedList<McpResourceDefinition>;
  readonly #prompts: NamedList<McpPromptDefinition>;

  constructor(options: McpServerOptions) {
    const logger = safeLogger(options.logger ?? noopLogger);
    const features = (options.components ?? []).flatMap(featuresOf);
    const sources = options.tools === undefined ? [] : flattenToolSources([options.tools]);
    const tools: (ToolCallback | ToolCallbackProvider)[] = [
      ...sources,
      ...Object.entries(options.chatClients ?? {}).map(([name, { client, description }]) =>
        client.asTool({ name, description }),
      ),
      ...Object.entries(options.vectorStores ?? {}).map(([name, { store, ...search }]) =>
        vectorStoreTool(store, { ...search, name }),
      ),
      ...features.flatMap((feature) => (feature.kind === 'tool' ? [feature.tool] : [])),
    ];
    const wanted = (tool: ToolCallback): boolean => options.exposeMcpClientTools === true || !isMcpClientTool(tool);
    this.#tools = new NamedList(
      'tools',
      tools
        .map((tool) => ('toolCallbacks' in tool ? async () => (await tool.toolCallbacks()).filter(wanted) : tool))
        .filter((tool) => typeof tool === 'function' || wanted(tool)),
      (tool) => tool.definition.name,
      logger,
    );
    this.#resources = new NamedList(
      'resources',
      [
        ...(options.resources ?? []),
        ...features.flatMap((feature) => (feature.kind === 'resource' ? [feature.resource] : [])),
      ],
      (resource) => resource.uri,
      logger,
    );
    this.#prompts = new NamedList(
      'prompts',
      [
        ...(options.prompts ?? []),
        ...features.flatMap((feature) => (feature.kind === 'prompt' ? [feature.prompt] : [])),
      ],
      (prompt) => prompt.name,
      logger,
    );
    this.completions = [
      ...(options.completions ?? []),
      ...features.flatMap((feature) => (feature.kind === 'completion' ? [feature.completion] : [])),
    ];
  }

  get hasTools(): boolean {
    return !this.#tools.empty;
  }

  get hasResources(): boolean {
    return !this.#resources.empty;
  }

  get hasPrompts(): boolean {
    return !this.#prompts.empty;
  }

  /** As they were when they were last asked for; {} before. */
  get latestTools(): ReadonlyMap<string, ToolCallback> {
    return this.#tools.latest;
  }

  /** False when no prompt or resource can have suggestions of its own. */
  get mayComplete(): boolean {
    return (
      this.#prompts.some((prompt) => prompt.complete !== undefined) ||
      this.#resources.some((one) => one.complete !== undefined)
    );
  }

  tools(): Named<ToolCallback> {
    return this.#tools.all();
  }

  resources(): Named<McpResourceDefinition> {
    return this.#resources.all();
  }

  prompts(): Named<McpPromptDefinition> {
    return this.#prompts.all();
  }
}

type Named<T> = ReadonlyMap<string, T> | Promise<ReadonlyMap<string, T>>;

/** Definitions by name, in the order given; of two provided ones of a name the first counts and a warning tells of the other. */
class NamedList<T extends object> {
  readonly #kind: string;
  readonly #fixed: ReadonlyMap<string, T>;
  readonly #sources: readonly McpSource<T>[];
  readonly #nameOf: (item: T) => string;
  readonly #logger: Logger;
  #latest: ReadonlyMap<string, T>;

  constructor(kind: string, sources: readonly McpSource<T>[], nameOf: (item: T) => string, logger: Logger) {
    this.#kind = kind;
    this.#sources = sources;
    this.#nameOf = nameOf;
    this.#logger = logger;
    const fixed = new Map<string, T>();
    for (const source of sources) {
      if (typeof source === 'function') continue;
      const name = nameOf(source);
      if (fixed.has(name)) throw invalidArgument(kind, `two are called '${name}': rename one, or leave it out`);
      fixed.set(name, source);
    }
    this.#fixed = fixed;
    this.#latest = fixed;
  }

  get latest(): ReadonlyMap<string, T> {
    return this.#latest;
  }

  /** Nothing is known of what is provided later: it counts. */
  some(test: (item: T) => boolean): boolean {
    return this.#sources.some((source) => typeof source === 'function' || test(source));
  }

  get empty(): boolean {
    return this.#sources.length === 0;
  }

  all(): Named<T> {
    return this.#fixed.size === this.#sources.length ? this.#fixed : this.#gathered();
  }

  async #gathered(): Promise<ReadonlyMap<string, T>> {
    const lists = await Promise.all(
      this.#sources.map((source) => (typeof source === 'function' ? source() : [source])),
    );
    const all = new Map<string, T>();
    for (const item of lists.flat()) {
      const name = this.#nameOf(item);
      if (!all.has(name)) all.set(name, item);
      else this.#logger.warn(`Two ${this.#kind} of the MCP server are called '${name}': the first is served`);
    }
    this.#latest = all;
    return all;
  }
}

function featuresOf(component: object): readonly McpFeature[] {
  const features = mcpFeaturesOf(component);
  try {
    return [...features, ...toolsFrom(component).map((tool): McpFeature => ({ kind: 'tool', tool }))];
  } catch (error) {
    // No `@Tool` methods is no fault where there are others.
    if (features.length > 0) return features;
    throw error;
  }
}
