import type { ToolChoice as AnthropicToolChoice, MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages';
import { type ModelRequest, requireToolName, type ToolChoice } from '@vernal/core';
import { ANTHROPIC } from './anthropic-connection.js';
import { anthropicConversation } from './anthropic-messages.js';
import { type AnthropicOptions, anthropicChatOptions } from './anthropic-options.js';
import { outputSchema } from './output-schema.js';

export type AnthropicRequest = Omit<MessageCreateParamsBase, 'stream'>;
/** The same on its way: what is undefined is dropped at the end. */
type Draft = { [Key in keyof AnthropicRequest]: AnthropicRequest[Key] | undefined } & Sampling;

/** The SDK no longer types these, since newer models refuse them; the API and older models take them. */
interface Sampling {
  readonly temperature: number | undefined;
  readonly top_p: number | undefined;
  readonly top_k: number | undefined;
}

export function anthropicRequest({ messages, options }: ModelRequest): AnthropicRequest {
  const own = anthropicChatOptions.of(options);
  const { system, messages: turns } = anthropicConversation(messages);
  const tools = options.tools ?? [];
  const draft: Draft = {
    model: options.model ?? '',
    max_tokens: options.maxTokens ?? 4096,
    system: system.length === 0 ? undefined : system,
    messages: turns,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    stop_sequences: options.stopSequences === undefined ? undefined : [...options.stopSequences],
    thinking: thinking(own.thinking),
    service_tier: own.serviceTier,
    metadata: own.userId === undefined ? undefined : { user_id: own.userId },
    output_config: outputConfig(own, options.outputSchema),
    tools: tools.length === 0 ? undefined : tools.map(({ definition }) => toolParameter(definition)),
    tool_choice: tools.length === 0 ? undefined : toolChoice(options.toolChoice, own.disableParallelToolUse),
  };
  const body = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  // `extra` goes in as it is, by request of whoever wrote it.
  return Object.assign(body, options.extra) as unknown as AnthropicRequest;
}

function thinking(option: AnthropicOptions['thinking'] | undefined): AnthropicRequest['thinking'] | undefined {
  return option?.type === 'enabled' ? { type: 'enabled', budget_tokens: option.budgetTokens } : option;
}

function outputConfig(
  own: Readonly<Partial<AnthropicOptions>>,
  schema: ModelRequest['options']['outputSchema'],
): AnthropicRequest['output_config'] | undefined {
  if (own.effort === undefined && schema === undefined) return undefined;
  return {
    ...(own.effort === undefined ? {} : { effort: own.effort }),
    ...(schema === undefined ? {} : { format: { type: 'json_schema', schema: { ...outputSchema(schema) } } }),
  };
}

function toolParameter(definition: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}): NonNullable<AnthropicRequest['tools']>[number] {
  const { name, description, inputSchema } = definition;
  requireToolName(ANTHROPIC.name, name);
  return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}

function toolChoice(choice: ToolChoice | undefined, serial: boolean | undefined): AnthropicToolChoice | undefined {
  if (choice === undefined && serial === undefined) return undefined;
  if (choice === 'none') return { type: 'none' };
  const rest = serial === undefined ? {} : { disable_parallel_tool_use: serial };
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool, ...rest };
  return { type: choice === 'required' ? 'any' : 'auto', ...rest };
}
