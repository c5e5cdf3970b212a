import type { Input } from '../json/json-value.js';
import { type Metadata, NO_METADATA } from '../json/metadata.js';
import { setOwn } from '../json/own-property.js';
import type { AssistantMessage } from '../messages/message.js';
import { assistantMessage } from '../messages/message-factories.js';
import { NO_USAGE, type Usage, usageFromInput } from './usage.js';

/** What the provider's headers say is left; what they do not say is absent. Source: `RateLimit` of spring-ai-model. */
export interface RateLimit {
  readonly requestsLimit?: number;
  readonly requestsRemaining?: number;
  /** Milliseconds. */
  readonly requestsResetMs?: number;
  readonly tokensLimit?: number;
  readonly tokensRemaining?: number;
  /** Milliseconds. */
  readonly tokensResetMs?: number;
}

/** Mapped by every provider; the provider's own word stays in `nativeFinishReason`. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool_calls'
  | 'content_filter'
  | 'return_direct'
  | 'tool_call_limit'
  | 'approval'
  | 'blocked'
  | 'cancelled'
  | 'error'
  | (string & {});

/** Why one answer ended. Providers add keys of their own. Source: `ChatGenerationMetadata` of spring-ai-model. */
export interface GenerationMetadata {
  readonly finishReason?: FinishReason;
  readonly nativeFinishReason?: string;
  readonly contentFilters?: readonly string[];
  readonly [key: string]: unknown;
}

/**
 * A piece of a tool call on its way; only `fold` joins them. With an `index` it goes to that call, unless it brings another
 * `id`: that starts a new call ('' and 'null' are not ids). Without an index it goes to the call with its `id`, else to the last one.
 */
export interface ToolCallDelta {
  /** As on the wire; absent when the provider sent none. */
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** The next characters of the arguments. */
  readonly arguments?: string | undefined;
}

/** One of the answers of a response, or a chunk of it. Source: `Generation` of spring-ai-model. */
export interface Generation {
  /** Which of the `n` answers this is; chunks of one answer share it. 0 for the first. */
  readonly index: number;
  readonly output: AssistantMessage;
  /** In chunks only. Absent after `fold`, whose `output.toolCalls` are whole. */
  readonly toolCallDeltas?: readonly ToolCallDelta[];
  readonly metadata: GenerationMetadata;
}

/**
 * What holds for all answers of a response. Providers and advisors add keys of their own. Source:
 * `ChatResponseMetadata` of spring-ai-model.
 */
export interface ChatResponseMetadata {
  readonly id?: string;
  readonly model?: string;
  /** {} when nothing is known. In a chunk: the running total of this model call. */
  readonly usage: Usage;
  readonly rateLimit?: RateLimit;
  /** Content-filter results of the prompt, by index of the prompt. */
  readonly promptFilters?: readonly Metadata[];
  readonly [key: string]: unknown;
}

/** An answer, or one chunk of it. Made by `chatResponse`, so that `result` is never forgotten. */
export interface ChatResponse {
  readonly results: readonly Generation[];
  /** `results[0]`. */
  readonly result: Generation | undefined;
  readonly metadata: ChatResponseMetadata;
}

/** What `chatResponse` makes a `Generation` of; everything may be left out. */
export interface GenerationInput {
  readonly index?: number | undefined;
  readonly output?: AssistantMessage | undefined;
  /** Short for `output: assistantMessage(text)`. */
  readonly text?: string | undefined;
  readonly toolCallDeltas?: readonly ToolCallDelta[] | undefined;
  readonly metadata?: Input<GenerationMetadata> | undefined;
}

/** What `chatResponse` makes a `ChatResponseMetadata` of; everything may be left out. */
export interface ChatResponseMetadataInput {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  /** What the provider did not say may be undefined and is left out; NaN is `invalid_argument`. */
  readonly usage?: Input<Usage> | undefined;
  readonly rateLimit?: Input<RateLimit> | undefined;
  readonly promptFilters?: readonly Metadata[] | undefined;
  readonly [key: string]: unknown;
}

const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'content_filter']);
const NO_RESPONSE_METADATA: ChatResponseMetadata = Object.freeze({ usage: NO_USAGE });

/**
 * A string is one generation with that text. Fields that are undefined are left out; the total of the usage is filled in when both
 * parts are known. Generations take their position for their index unless they bring one.
 * Throws `invalid_argument` for a counter that is not a finite number. Source: `ChatResponse` of spring-ai-model.
 *
 * @example
 * chatResponse([{ text: 'Hi', metadata: { finishReason: 'stop' } }], { model: 'm', usage: { promptTokens: 3, completionTokens: 1 } });
 */
export function chatResponse(
  results: string | readonly GenerationInput[],
  metadata?: ChatResponseMetadataInput,
): ChatResponse {
  const generations =
    typeof results === 'string'
      ? [{ index: 0, output: assistantMessage(results), metadata: NO_METADATA }]
      : results.map(generation);
  return {
    results: generations,
    result: generations[0],
    metadata: metadata === undefined ? NO_RESPONSE_METADATA : responseMetadata(metadata),
  };
}

/** True when any generation holds tool calls. Chunks: fold first. */
export function hasToolCalls(response: ChatResponse): boolean {
  return response.results.some((result) => result.output.toolCalls.length > 0);
}

/**
 * True when the tools of a folded response are to be run: a generation holds calls and was not cut short ('length', 'content_filter'). Of
 * calls beside such a reason nobody knows whether they are all, or as they were meant.
 */
export function callsTools(response: ChatResponse): boolean {
  return response.results.some(
    ({ output, metadata }) => output.toolCalls.length > 0 && !CUT_SHORT.has(metadata.finishReason ?? ''),
  );
}

/** Ignores case; a missing reason counts as ''. */
export function hasFinishReason(response: ChatResponse, reasons: readonly string[]): boolean {
  const wanted = new Set(reasons.map((reason) => reason.toLowerCase()));
  return response.results.some((result) => wanted.has((result.metadata.finishReason ?? '').toLowerCase()));
}

/** Text of the first generation, '' when there is none. */
export function responseText(response: ChatResponse): string {
  return response.results[0]?.output.text ?? '';
}

function generation(input: GenerationInput, position: number): Generation {
  const { index = position, output, text, toolCallDeltas, metadata } = input;
  const made: Generation = {
    index,
    output: output ?? assistantMessage(text),
    metadata: metadata === undefined ? NO_METADATA : definedOf(metadata),
  };
  return toolCallDeltas === undefined ? made : { ...made, toolCallDeltas };
}

function responseMetadata(input: ChatResponseMetadataInput): ChatResponseMetadata {
  const metadata: { usage: Usage; [key: string]: unknown } = { usage: NO_USAGE };
  for (const key in input) {
    const value = input[key];
    if (value !== undefined && key !== 'usage' && key !== 'rateLimit') setOwn(metadata, key, value);
  }
  if (input.usage !== undefined) metadata.usage = usageFromInput(input.usage);
  if (input.rateLimit !== undefined) metadata['rateLimit'] = definedOf(input.rateLimit);
  return metadata;
}

function definedOf(values: object): Record<string, unknown> {
  const given: Readonly<Record<string, unknown>> = { ...values };
  const defined: Record<string, unknown> = {};
  for (const key in given) {
    if (given[key] !== undefined) setOwn(defined, key, given[key]);
  }
  return defined;
}
