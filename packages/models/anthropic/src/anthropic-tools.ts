import type {
  ToolChoice as AnthropicToolChoice,
  CacheControlEphemeral,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import type { ResolvedChatOptions, ToolChoice } from '@vernal/core';
import { requireToolName } from '@vernal/core/adapter';
import { ANTHROPIC } from './anthropic-connection.js';
import type { AnthropicOptions } from './anthropic-options.js';
import { serverTools } from './anthropic-server-tools.js';

/** The caller's tools, then those that run at Anthropic: the order stays, for the sake of the cache. The last one bears `mark`. */
export function toolParameters(
  options: ResolvedChatOptions,
  own: Readonly<Partial<AnthropicOptions>>,
  mark: () => CacheControlEphemeral | undefined,
): ToolUnion[] {
  const given = (options.tools ?? []).map(({ definition }) => toolParameter(definition));
  const names = given.map(({ name }) => name);
  const tools: ToolUnion[] = [...given, ...serverTools(own.webSearch, own.skillContainer, names)];
  const last = tools.at(-1);
  const control = last === undefined ? undefined : mark();
  if (last !== undefined && control !== undefined) tools.splice(-1, 1, { ...last, cache_control: control });
  return tools;
}

export function toolChoice(
  choice: ToolChoice | undefined,
  serial: boolean | undefined,
): AnthropicToolChoice | undefined {
  if (choice === undefined && serial === undefined) return undefined;
  if (choice === 'none') return { type: 'none' };
  const rest = serial === undefined ? {} : { disable_parallel_tool_use: serial };
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool, ...rest };
  return { type: choice === 'required' ? 'any' : 'auto', ...rest };
}

function toolParameter(definition: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}): Extract<ToolUnion, { input_schema: unknown }> {
  const { name, description, inputSchema } = definition;
  requireToolName(ANTHROPIC.name, name);
  return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}
