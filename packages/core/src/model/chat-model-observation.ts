import type { Message } from '../messages/message.js';
import type { Observation, ObservationData, ObservationRegistry } from '../observation/observation.js';
import type { ChatModelObservationData } from '../observation/observation-data.js';
import { type SafeObservation, startSafely } from '../observation/safe-observation.js';
import type { ResolvedChatOptions } from '../options/chat-options.js';
import type { ChatResponse } from '../responses/chat-response.js';

interface ObservedRequest {
  readonly provider: string;
  readonly stream: boolean;
  readonly messages: readonly Message[];
  readonly options: ResolvedChatOptions;
  readonly parent: Observation | undefined;
}

export function startObservation(registry: ObservationRegistry, request: ObservedRequest): SafeObservation {
  const { provider, stream, messages, options, parent } = request;
  const data = defined({
    provider,
    stream,
    requestModel: options.model,
    temperature: options.temperature,
    topP: options.topP,
    topK: options.topK,
    maxTokens: options.maxTokens,
    frequencyPenalty: options.frequencyPenalty,
    presencePenalty: options.presencePenalty,
    stopSequences: options.stopSequences,
    toolNames: toolNamesOf(options),
    inputMessages: registry.content ? messages : undefined,
  });
  return startSafely(registry, () => ({ kind: 'chat_model', name: options.model ?? provider, parent, data }));
}

/**
 * What is known at the end. `ending` says why the answer is not whole, in place of finish reasons: a chunk may
 * have brought one before the stream was cut.
 */
export function observeResponse(
  observation: SafeObservation,
  response: ChatResponse,
  content: boolean,
  ending?: 'cancelled' | 'error',
): void {
  const { id, model, usage } = response.metadata;
  observation.add(
    defined({
      responseId: id || undefined,
      responseModel: model || undefined,
      finishReasons: ending === undefined ? finishReasonsOf(response) : [ending],
      usage,
      outputMessages: content ? response.results.map((result) => result.output) : undefined,
    }),
  );
}

function toolNamesOf({ tools, toolNames }: ResolvedChatOptions): readonly string[] | undefined {
  if (tools === undefined && toolNames === undefined) return undefined;
  return [...(tools ?? []).map((tool) => tool.definition.name), ...(toolNames ?? [])];
}

function finishReasonsOf(response: ChatResponse): readonly string[] {
  return response.results.flatMap(({ metadata }) => metadata.finishReason ?? []);
}

function defined(
  data: { readonly [K in keyof ChatModelObservationData]?: ChatModelObservationData[K] | undefined },
): ObservationData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
