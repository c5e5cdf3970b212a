import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { ManagerSettings } from './manager-settings.js';
import type { ToolCallback } from './tool-callback.js';
import { checkDistinctNames, isPortableToolName } from './tool-name.js';

/** The tools of a request in the order they were given, then those of `toolNames`; each name once. */
export async function resolveTools(settings: ManagerSettings, options: ChatOptions): Promise<ToolCallback[]> {
  const tools = await Promise.all(offered(settings, options));
  return checked(settings, tools);
}

/** The same without waiting, for resolvers that do not. */
export function resolveToolsNow(settings: ManagerSettings, options: ChatOptions): ToolCallback[] {
  const tools = offered(settings, options).map((tool) => {
    if (!(tool instanceof Promise)) return tool;
    tool.catch(() => {});
    throw invalidArgument('resolver', 'answers later, so that definitions have to be taken from resolveTools()');
  });
  return checked(settings, tools);
}

/** A tool that the request offers, by its exact name; at once where it can be. */
export function findTool(
  settings: ManagerSettings,
  options: ChatOptions,
  name: string,
): ToolCallback | undefined | Promise<ToolCallback | undefined> {
  const own = options.tools?.find(({ definition }) => definition.name === name);
  if (own !== undefined || options.toolNames?.includes(name) !== true) return own;
  return settings.resolver?.resolve(name);
}

/** What the model may call, for an answer that names it. */
export function offeredNames(options: ChatOptions): readonly string[] {
  const names = (options.tools ?? []).map(({ definition }) => definition.name);
  return [...new Set([...names, ...(options.toolNames ?? [])])];
}

function offered(settings: ManagerSettings, options: ChatOptions): (ToolCallback | Promise<ToolCallback>)[] {
  const tools = options.tools ?? [];
  if (!options.toolNames?.length) return [...tools];
  const known = new Set(tools.map(({ definition }) => definition.name));
  const names = new Set(options.toolNames.filter((name) => !known.has(name)));
  return [...tools, ...[...names].map((name) => resolveOne(settings, name))];
}

function resolveOne({ resolver }: ManagerSettings, name: string): ToolCallback | Promise<ToolCallback> {
  if (resolver === undefined)
    throw invalidArgument(
      'toolNames',
      `'${name}' needs a manager with a resolver: new ToolCallingManager({ resolver })`,
    );
  const found = resolver.resolve(name);
  return found instanceof Promise ? found.then((tool) => tool ?? unresolved(name)) : (found ?? unresolved(name));
}

function unresolved(name: string): never {
  throw new VernalError(`The resolver knows no tool named '${name}'; give it one or leave the name out of toolNames`, {
    code: 'tool_not_found',
    subject: name,
  });
}

function checked({ logger, warned }: ManagerSettings, tools: readonly ToolCallback[]): ToolCallback[] {
  checkDistinctNames(tools);
  for (const tool of tools) {
    if (isPortableToolName(tool.definition.name) || warned.has(tool)) continue;
    warned.add(tool);
    logger.warn('Not every provider takes this tool name; portable is [a-zA-Z0-9_-]{1,64}', {
      tool: tool.definition.name,
    });
  }
  return [...tools];
}
