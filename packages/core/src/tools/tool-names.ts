import { invalidArgument } from '../errors/invalid-argument.js';
import type { ToolCallback } from './tool-callback.js';

/** A request never has two tools of one name. Names are compared as they are: 'Search' and 'search' are two tools. */
export function checkDistinctNames(tools: readonly ToolCallback[]): void {
  const names = new Set<string>();
  for (const { definition } of tools) {
    if (names.has(definition.name))
      throw invalidArgument('tools', `there are two tools named '${definition.name}'; rename or leave out one of them`);
    names.add(definition.name);
  }
}
