import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages';
import type { Logger, ModelRequest } from '@vernal/core';
import { CacheBreakpoints } from './anthropic-cache.js';
import { anthropicConversation } from './anthropic-messages.js';
import { type AnthropicOptions, anthropicChatOptions } from './anthropic-options.js';
import { containerParameter } from './anthropic-server-tools.js';
import { toolChoice, toolParameters } from './anthropic-tools.js';
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

export function anthropicRequest({ messages, options }: ModelRequest, logger: Logger): AnthropicRequest {
  const own = anthropicChatOptions.of(options);
  const cache = new CacheBreakpoints(own.cacheOptions);
  // In the order of the prompt: cached parts are counted from its beginning.
  const tools = toolParameters(options, own, () => cache.tools());
  const { system, messages: turns } = anthropicConversation(messages, own, cache);
  cache.warn(logger);
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
    inference_geo: own.inferenceGeo,
    metadata: own.userId === undefined ? undefined : { user_id: own.userId },
    output_config: outputConfig(own, options.outputSchema),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : toolChoice(options.toolChoice, own.disableParallelToolUse),
    container: containerParameter(own.skillContainer),
  };
  const body = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  // `extra` goes in as it is, by request of whoever wrote it.
  return Object.assign(body, options.extra) as unknown as AnthropicRequest;
}

function thinking(option: AnthropicOptions['thinking'] | undefined): AnthropicRequest['thinking'] | undefined {
  if (option === undefined || option.type === 'disabled') return option;
  const display = option.display === undefined ? {} : { display: option.display };
  return option.type === 'adaptive'
    ? { type: 'adaptive', ...display }
    : { type: 'enabled', budget_tokens: option.budgetTokens, ...display };
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
