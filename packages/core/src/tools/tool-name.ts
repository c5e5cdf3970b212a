import { invalidArgument } from '../errors/invalid-argument.js';
import type { ToolCallback } from './tool-callback.js';

const PORTABLE = /^[a-zA-Z0-9_-]{1,64}$/;

/** What every known provider takes as a tool's name. */
export function isPortableToolName(name: string): boolean {
  return PORTABLE.test(name);
}

export function checkToolName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name.trim() === '')
    throw invalidArgument('name', 'a tool needs a name that is not blank, best of [a-zA-Z0-9_-]{1,64}');
}

/** The default description: 'getHTTPStatus', 'get_http_status' and 'get-http-status' are all 'get http status'. */
export function nameInWords(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[\s_.-]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A request never has two tools of one name. Names are compared as they are: 'Search' and 'search' are two tools. */
export function checkDistinctNames(tools: readonly ToolCallback[]): void {
  if (tools.length < 2) return;
  const names = new Set<string>();
  for (const { definition } of tools) {
    if (names.has(definition.name))
      throw invalidArgument('tools', `there are two tools named '${definition.name}'; rename or leave out one of them`);
    names.add(definition.name);
  }
}
