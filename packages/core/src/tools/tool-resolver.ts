import type { ToolCallback } from './tool-callback.js';
import { checkDistinctNames } from './tool-name.js';

/**
 * Finds tools by name. Off unless given: a model must not reach what it was not offered; and then only for the names in the
 * request's `toolNames`.
 */
export interface ToolCallbackResolver {
  resolve(name: string): ToolCallback | undefined | Promise<ToolCallback | undefined>;
}

/** Two tools of one name: `invalid_argument`. Source: `StaticToolCallbackResolver` of spring-ai-model. */
export function staticToolResolver(tools: readonly ToolCallback[]): ToolCallbackResolver {
  checkDistinctNames(tools);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return { resolve: (name) => byName.get(name) };
}

/** The first hit wins. Source: `DelegatingToolCallbackResolver` of spring-ai-model. */
export function delegatingToolResolver(...resolvers: readonly ToolCallbackResolver[]): ToolCallbackResolver {
  const resolveFrom = (name: string, start: number): ReturnType<ToolCallbackResolver['resolve']> => {
    for (let at = start; at < resolvers.length; at++) {
      const found = resolvers[at]?.resolve(name);
      if (found instanceof Promise) return found.then((tool) => tool ?? resolveFrom(name, at + 1));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return { resolve: (name) => resolveFrom(name, 0) };
}
