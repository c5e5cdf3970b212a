import type { ChatClientRequest } from '@vernal/client-chat';
import type { ToolCallback } from '@vernal/core';

/** Which tools one turn has, and which of them the model sees at once. */
export interface ToolSearchRun {
  readonly searchTool: ToolCallback;
  /** All but the search tool, as they were given. */
  readonly byName: ReadonlyMap<string, ToolCallback>;
  /** Names that are offered without a search. */
  readonly always: ReadonlySet<string>;
}

/**
 * The tools of the next round. The first round has the search tool, those that are always offered in the order they were given, and
 * those found in earlier turns; every other round has what the round before it had, and behind that what was found since. So with
 * accumulation a list only ever grows at its end, which is what the prompt caches of providers need.
 */
export function offeredTools(
  run: ToolSearchRun,
  current: readonly ToolCallback[] | undefined,
  found: readonly string[],
  known: readonly string[],
  accumulate: boolean,
): readonly ToolCallback[] {
  const { byName, always, searchTool } = run;
  const offered = new Set<ToolCallback>();
  if (current === undefined) {
    offered.add(searchTool);
    for (const [name, tool] of byName) if (always.has(name)) offered.add(tool);
  } else {
    for (const tool of current) if (accumulate || !isSearched(run, tool)) offered.add(tool);
  }
  // A tool that a hook took away does not come back because it was found before.
  const added = current !== undefined && accumulate ? found.filter((name) => !known.includes(name)) : found;
  for (const name of added) {
    const tool = byName.get(name);
    if (tool !== undefined) offered.add(tool);
  }
  return [...offered];
}

/** True for a tool that is only there because it was searched for. A hook's own tools are not. */
function isSearched({ byName, always }: ToolSearchRun, tool: ToolCallback): boolean {
  const { name } = tool.definition;
  return byName.get(name) === tool && !always.has(name);
}

/** A tool that the request forces the model to call has to be there. */
export function forcedTool({ prompt }: ChatClientRequest): string | undefined {
  const { toolChoice } = prompt.options;
  return typeof toolChoice === 'object' && toolChoice !== null ? toolChoice.tool : undefined;
}
