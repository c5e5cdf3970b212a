import { invalidArgument } from '../errors/invalid-argument.js';
import type { ToolCallback, ToolCallbackProvider, ToolSource } from './tool-callback.js';
import { toolsFrom } from './tool-decorator.js';

/**
 * Lists flattened and objects with `@Tool` methods turned into their tools; providers stay, to be asked when a call starts.
 * Throws `invalid_argument` for what is none of these.
 */
export function flattenToolSources(sources: readonly ToolSource[]): (ToolCallback | ToolCallbackProvider)[] {
  return sources.flatMap((source): (ToolCallback | ToolCallbackProvider)[] => {
    if (isList(source)) return flattenToolSources(source);
    if (isCallback(source) || isProvider(source)) return [source];
    if (typeof source !== 'object' || source === null)
      throw invalidArgument('tools', 'takes tools, providers, lists of them, and objects with @Tool methods');
    return toolsFrom(source);
  });
}

export function isProvider(source: ToolSource): source is ToolCallbackProvider {
  return typeof source === 'object' && source !== null && typeof Reflect.get(source, 'toolCallbacks') === 'function';
}

function isList(source: ToolSource): source is readonly ToolSource[] {
  return Array.isArray(source);
}

function isCallback(source: ToolSource): source is ToolCallback {
  return (
    typeof source === 'object' &&
    source !== null &&
    typeof Reflect.get(source, 'call') === 'function' &&
    typeof Reflect.get(source, 'definition') === 'object'
  );
}
