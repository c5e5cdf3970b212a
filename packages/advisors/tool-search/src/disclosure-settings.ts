import type { ToolCallingManager } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { requireCount, requireText } from './index-checks.js';
import { type IndexEviction, lruEviction } from './index-eviction.js';
import { KeywordToolIndex } from './keyword-tool-index.js';
import { metadataCategories, type ToolCategories } from './tool-categories.js';
import type { ToolIndex } from './tool-index.js';
import type { ToolSearchToolCallingAdvisorOptions } from './tool-search-tool-calling-advisor.js';

/** The options of an advisor, checked and complete. */
export interface DisclosureSettings {
  readonly manager: ToolCallingManager | undefined;
  readonly index: ToolIndex;
  readonly eviction: IndexEviction;
  readonly now: () => number;
  readonly toolName: string;
  readonly toolDescription: string;
  readonly systemMessageSuffix: string;
  readonly defaultResults: number;
  readonly maxResults: number;
  readonly summaries: boolean;
  readonly accumulate: boolean;
  readonly minTools: number;
  readonly alwaysOffer: readonly string[];
  readonly categories: ToolCategories;
  readonly session: ToolSearchToolCallingAdvisorOptions['session'];
}

const DESCRIPTION =
  'Finds tools that are not listed yet. Say in a few words what has to be done. The answer names the tools that match, best first; you can call them from your next step on.';

/** Throws `invalid_argument`. */
export function disclosureSettings(options: ToolSearchToolCallingAdvisorOptions): DisclosureSettings {
  const index = options.index ?? new KeywordToolIndex();
  for (const method of ['index', 'search', 'clear'] as const) {
    if (typeof index[method] !== 'function')
      throw invalidArgument('index', `must be a ToolIndex; it has no ${method}()`);
  }
  const maxResults = requireCount(options.maxResults ?? 10, 'maxResults');
  const defaultResults = requireCount(options.defaultResults ?? Math.min(5, maxResults), 'defaultResults');
  if (defaultResults > maxResults)
    throw invalidArgument('defaultResults', `must not be above maxResults, ${maxResults}`);
  const toolName = requireText(options.toolName ?? 'toolSearchTool', 'toolName');
  return {
    manager: options.manager,
    index,
    eviction: options.eviction ?? lruEviction(),
    now: options.now ?? Date.now,
    toolName,
    toolDescription: requireText(options.toolDescription ?? DESCRIPTION, 'toolDescription'),
    systemMessageSuffix: (options.systemMessageSuffix ?? suffixFor(toolName)).trim(),
    defaultResults,
    maxResults,
    summaries: options.summaries ?? false,
    accumulate: options.accumulate ?? true,
    minTools: requireCount(options.minTools ?? 1, 'minTools'),
    alwaysOffer: (options.alwaysOffer ?? []).map((name) => requireText(name, 'alwaysOffer')),
    categories: options.categories ?? metadataCategories,
    session: options.session,
  };
}

function suffixFor(toolName: string): string {
  return `You have more tools than are listed. Find them with ${toolName}, and search before you say that something cannot be done.`;
}
