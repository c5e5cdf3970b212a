import { type ModelRequest, type ResolvedChatOptions, requireModel, requireToolName, VernalError } from '@vernal/core';
import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions/completions';
import { OPEN_AI } from './open-ai-connection.js';
import { openAiMessages } from './open-ai-messages.js';
import { type OpenAiOptions, openAiChatOptions } from './open-ai-options.js';
import { strictSchema } from './strict-schema.js';

/** The properties of the request body that this package writes. */
export type OpenAiRequest = Omit<ChatCompletionCreateParamsBase, 'stream' | 'stream_options'>;

/** The same on its way: what is undefined is dropped at the end. */
type Draft = { [Key in keyof OpenAiRequest]: OpenAiRequest[Key] | undefined };

/** What of a model's construction shapes its requests. */
export interface OpenAiRequestStyle {
  readonly maxTokensParameter: 'max_completion_tokens' | 'max_tokens';
  readonly replayReasoning: boolean;
}

export function openAiRequest({ messages, options }: ModelRequest, style: OpenAiRequestStyle): OpenAiRequest {
  const own = openAiChatOptions.of(options);
  const draft: Draft = {
    model: requireModel(options.model),
    messages: openAiMessages(messages, style.replayReasoning),
    temperature: options.temperature,
    top_p: options.topP,
    stop: options.stopSequences === undefined ? undefined : [...options.stopSequences],
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    [style.maxTokensParameter]: options.maxTokens,
    ...ownParameters(own),
    ...toolParameters(options, own),
    response_format: responseFormat(options, own),
  };
  // `extra` goes in as it is, by request of whoever wrote it.
  return Object.assign(withoutUndefined(draft), options.extra);
}

function ownParameters(own: Readonly<Partial<OpenAiOptions>>): Partial<Draft> {
  return {
    n: own.n,
    seed: own.seed,
    reasoning_effort: own.reasoningEffort,
    verbosity: own.verbosity,
    service_tier: own.serviceTier,
    prompt_cache_key: own.promptCacheKey,
    safety_identifier: own.safetyIdentifier,
    store: own.store,
    metadata: own.metadata === undefined ? undefined : { ...own.metadata },
    user: own.user,
    logit_bias: own.logitBias === undefined ? undefined : { ...own.logitBias },
    logprobs: own.logprobs,
    top_logprobs: own.topLogprobs,
  };
}

function toolParameters(options: ResolvedChatOptions, own: Readonly<Partial<OpenAiOptions>>): Partial<Draft> {
  const { tools = [], toolChoice } = options;
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ definition }) => {
      const { name, description, inputSchema } = definition;
      requireToolName(OPEN_AI.name, name);
      const parameters = own.strict
        ? { parameters: { ...strictSchema(inputSchema) }, strict: true }
        : { parameters: { ...inputSchema } };
      return { type: 'function', function: { name, description, ...parameters } };
    }),
    tool_choice:
      typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.tool } } : toolChoice,
    parallel_tool_calls: own.parallelToolCalls,
  };
}

function responseFormat(
  options: ResolvedChatOptions,
  own: Readonly<Partial<OpenAiOptions>>,
): OpenAiRequest['response_format'] {
  const schema = options.outputSchema;
  if (schema !== undefined) {
    if (schema['type'] !== 'object') {
      throw new VernalError(
        'OpenAI writes only objects at the top of a structured answer: wrap the schema in an object, or leave `native` off',
        { code: 'unsupported_capability', subject: 'outputSchema' },
      );
    }
    const strict = own.strict ?? false;
    const sent = strict ? strictSchema(schema) : schema;
    return { type: 'json_schema', json_schema: { name: 'answer', schema: { ...sent }, strict } };
  }
  const format = own.responseFormat;
  if (format?.type !== 'json_schema') return format;
  return {
    type: 'json_schema',
    json_schema: { name: format.name, schema: { ...format.schema }, strict: format.strict ?? false },
  };
}

function withoutUndefined(draft: Draft): OpenAiRequest {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as OpenAiRequest;
}
