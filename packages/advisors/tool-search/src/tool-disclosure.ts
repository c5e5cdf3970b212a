import type { AdvisorChain, ChatClientRequest, ToolRound } from '@vernal/client-chat';
import { withRequest } from '@vernal/client-chat';
import type { ContextKey, Logger, Prompt, ToolCallback, ToolContext } from '@vernal/core';
import { contextKey, contextValue, invalidArgument } from '@vernal/core';
import type { DisclosureSettings } from './disclosure-settings.js';
import { requireText } from './index-checks.js';
import { IndexedSessions } from './indexed-sessions.js';
import { SearchToolFactory, searchedNames, type ToolSearchAnswer, type ToolSearchInput } from './search-tool.js';
import { categoriesOf } from './tool-categories.js';
import type { ToolReference } from './tool-index.js';
import { toolReference, toolSetId } from './tool-reference.js';
import { forcedTool, offeredTools, type ToolSearchRun } from './tool-search-run.js';

/**
 * Names of the tools that were found so far, in the order they were found: in the context of requests and responses. Given with a
 * request, its tools are offered from the first round on; names that the request does not know are ignored.
 */
export const TOOL_SEARCH_FOUND: ContextKey<readonly string[]> = /* @__PURE__ */ contextKey('tool_search_found');

/** What one advisor does around its loop. Holds nothing of a conversation: that is in the request. */
export class ToolDisclosure {
  readonly #settings: DisclosureSettings;
  readonly #sessions: IndexedSessions;
  readonly #factory: SearchToolFactory;
  /** By the search tool of the turn, which travels with the request. */
  readonly #runs = new WeakMap<ToolCallback, ToolSearchRun>();

  constructor(settings: DisclosureSettings) {
    this.#settings = settings;
    this.#sessions = new IndexedSessions(settings.index, settings.eviction, settings.now);
    this.#factory = new SearchToolFactory({
      name: settings.toolName,
      description: settings.toolDescription,
      maxResults: settings.maxResults,
    });
  }

  /** Adds the search tool and says so to the model. All other tools stay in the request, for a turn that goes on needs its own. */
  async begin(request: ChatClientRequest, { logger }: AdvisorChain): Promise<ChatClientRequest> {
    const { toolName, minTools, alwaysOffer, systemMessageSuffix } = this.#settings;
    const { options } = await this.#resolved(request.prompt);
    const tools = options.tools ?? [];
    if (tools.length === 0 || tools.length < minTools) return request;
    const byName = namedTools(tools);
    if (byName.has(toolName)) {
      throw invalidArgument(
        'toolName',
        `a tool of the request is named '${toolName}', too; give the search another name`,
      );
    }
    const forced = forcedTool(request);
    const always = new Set(forced === undefined ? alwaysOffer : [...alwaysOffer, forced]);
    const categories = new Map(tools.map((tool) => [tool, categoriesOf(tool, this.#settings.categories)]));
    const searchTool = this.#factory.create(
      [...new Set([...categories.values()].flat())].sort(),
      this.#search(request, byName, categories, logger),
    );
    this.#runs.set(searchTool, { searchTool, byName, always });
    const prompt = withSuffix(request.prompt, systemMessageSuffix);
    return withRequest(request, {
      prompt: prompt.withOptions({ tools: [searchTool, ...tools], toolNames: options.toolNames }),
    });
  }

  /** Leaves the model what it may see in this round. */
  next({ index, request }: ToolRound): ChatClientRequest {
    const { toolName, accumulate } = this.#settings;
    const { options, messages } = request.prompt;
    const run = this.#runOf(options.tools ?? []);
    if (run === undefined) return request;
    const known = foundIn(request);
    const searched = searchedNames(messages, toolName, !accumulate);
    const names = accumulate ? [...known, ...(searched ?? [])] : (searched ?? known);
    const found = [...new Set(names)].filter((name) => run.byName.has(name));
    const current = index === 0 ? undefined : (options.tools ?? []);
    const tools = offeredTools(run, current, found, known, accumulate);
    return withRequest(request, {
      prompt: request.prompt.withOptions({ tools }),
      context: { [TOOL_SEARCH_FOUND]: found },
    });
  }

  clear(context: Parameters<IndexedSessions['clear']>[0]): Promise<void> {
    return this.#sessions.clear(context);
  }

  #runOf(tools: readonly ToolCallback[]): ToolSearchRun | undefined {
    for (const tool of tools) {
      const run = this.#runs.get(tool);
      if (run !== undefined) return run;
    }
    return undefined;
  }

  /** With tools for the names. Without a manager of its own nobody knows them: the loop says so. */
  async #resolved(prompt: Prompt): Promise<Prompt> {
    const { manager } = this.#settings;
    if (manager === undefined || !prompt.options.toolNames?.length) return prompt;
    return prompt.withOptions({ tools: await manager.resolveTools(prompt.options), toolNames: null });
  }

  #search(
    request: ChatClientRequest,
    byName: ReadonlyMap<string, ToolCallback>,
    categories: ReadonlyMap<ToolCallback, readonly string[]>,
    logger: Logger,
  ): (input: ToolSearchInput, context: ToolContext) => Promise<ToolSearchAnswer> {
    const { defaultResults, maxResults, summaries, session } = this.#settings;
    const given = session?.(request);
    const owner = given === undefined ? undefined : requireText(given, 'session');
    let references: readonly ToolReference[] | undefined;
    return async ({ query, maxResults: wanted = defaultResults, categoryFilter }, context) => {
      references ??= [...byName.values()].map((tool) => toolReference(tool, categories.get(tool) ?? []));
      const set = await toolSetId(references);
      const limit = Math.min(wanted, maxResults);
      const matches = await this.#sessions.search(
        { session: owner === undefined ? set : `${owner}:${set}`, owner, tools: references, context, logger },
        { query, maxResults: limit, category: categoryFilter },
      );
      const names = new Set(matches.map(({ name }) => name).filter((name) => byName.has(name)));
      return [...names].slice(0, limit).map((name) => {
        const description = byName.get(name)?.definition.description;
        return summaries && description !== undefined ? { name, description } : name;
      });
    };
  }
}

function namedTools(tools: readonly ToolCallback[]): ReadonlyMap<string, ToolCallback> {
  const byName = new Map<string, ToolCallback>();
  for (const tool of tools) {
    const { name } = tool.definition;
    if (byName.has(name)) {
      throw invalidArgument('tools', `there are two tools named '${name}'; rename or leave out one of them`);
    }
    byName.set(name, tool);
  }
  return byName;
}

function foundIn({ context }: ChatClientRequest): readonly string[] {
  const found: unknown = contextValue(context, TOOL_SEARCH_FOUND) ?? [];
  if (Array.isArray(found) && found.every((name): name is string => typeof name === 'string')) return found;
  throw invalidArgument(TOOL_SEARCH_FOUND, 'must be a list of names of tools');
}

/** Once, however often the same prompt comes by. */
function withSuffix(prompt: Prompt, suffix: string): Prompt {
  if (suffix === '' || prompt.systemMessages.some(({ text }) => text.includes(suffix))) return prompt;
  return prompt.augmentSystemMessage((message) => ({
    ...message,
    text: message.text.trim() === '' ? suffix : `${message.text}\n\n${suffix}`,
  }));
}
