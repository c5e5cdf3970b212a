import { type ModelRequest, type ResolvedChatOptions, VernalError } from '@vernal/core';
import { requireModel, requireToolName } from '@vernal/core/adapter';
import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions/completions';
import { OPEN_AI } from './open-ai-connection.js';
import { openAiMessages } from './open-ai-messages.js';
import { type OpenAiOptions, openAiChatOptions } from './open-ai-options.js';
import { ownParameters } from './own-parameters.js';
import { strictSchema } from './strict-schema.js';

/** The properties of the request body that this package writes. */
export type OpenAiRequest = Omit<ChatCompletionCreateParamsBase, 'stream'>;

/** Some of them on their way: what is undefined is dropped at the end. */
export type RequestDraft = { [Key in keyof OpenAiRequest]?: OpenAiRequest[Key] | undefined };

/** What of a model's construction shapes its requests. */
export interface OpenAiRequestStyle {
  readonly maxTokensParameter: 'max_completion_tokens' | 'max_tokens';
  /** The property that reasoning goes back in; undefined: it stays. */
  readonly reasoningProperty: 'reasoning_content' | 'reasoning' | undefined;
}

/** The body of a request, but for `stream`. */
export function openAiRequest(
  { messages, options }: ModelRequest,
  style: OpenAiRequestStyle,
  streams: boolean,
): OpenAiRequest {
  const own = openAiChatOptions.of(options);
  const draft: RequestDraft = {
    model: requireModel(options.model),
    messages: openAiMessages(messages, {
      reasoningProperty: style.reasoningProperty,
      replaysAudio: own.outputModalities?.includes('audio') ?? false,
    }),
    temperature: options.temperature,
    top_p: options.topP,
    stop: options.stopSequences === undefined ? undefined : [...options.stopSequences],
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    ...maxTokens(options, own, style),
    ...ownParameters(own),
    ...toolParameters(options, own),
    response_format: responseFormat(options, own),
    stream_options: streams ? streamOptions(own) : undefined,
  };
  // `extra` goes in as it is, by request of whoever wrote it.
  return Object.assign(withoutUndefined(draft), options.extra);
}

function maxTokens(
  options: ResolvedChatOptions,
  own: Readonly<Partial<OpenAiOptions>>,
  style: OpenAiRequestStyle,
): RequestDraft {
  if (own.maxCompletionTokens !== undefined) return { max_completion_tokens: own.maxCompletionTokens };
  return { [style.maxTokensParameter]: options.maxTokens };
}

function streamOptions(own: Readonly<Partial<OpenAiOptions>>): RequestDraft['stream_options'] {
  const { includeUsage = own.streamUsage ?? true, includeObfuscation } = own.streamOptions ?? {};
  if (!includeUsage && includeObfuscation === undefined) return undefined;
  return {
    ...(includeUsage ? { include_usage: true } : {}),
    ...(includeObfuscation === undefined ? {} : { include_obfuscation: includeObfuscation }),
  };
}

function toolParameters(options: ResolvedChatOptions, own: Readonly<Partial<OpenAiOptions>>): RequestDraft {
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
): RequestDraft['response_format'] {
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
  const { name, description, strict = false } = format;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description === undefined ? {} : { description }),
      schema: { ...format.schema },
      strict,
    },
  };
}

function withoutUndefined(draft: RequestDraft): OpenAiRequest {
  const request: Record<string, unknown> = {};
  let name: keyof RequestDraft;
  for (name in draft) {
    if (draft[name] !== undefined) request[name] = draft[name];
  }
  return request as unknown as OpenAiRequest;
}
