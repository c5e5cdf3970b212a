import {
  assistantMessage,
  type FinishReason,
  type GenerationInput,
  type GenerationMetadata,
  type Input,
  isRecord,
  type JsonRecord,
} from '@vernal/core';
import { listOf, textOf } from './answer-reading.js';
import { answeredAudio } from './answered-audio.js';
import { toolCallDelta, wholeToolCalls } from './answered-tool-calls.js';
import { citationsOf } from './citations.js';
import { messageContent } from './message-content.js';

const NONE: readonly never[] = [];
const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** Servers that call tools end with many words; what was cut or filtered stays what it is. */
function finishReason(native: string | undefined, callsTools: boolean): FinishReason | undefined {
  const word = native?.toLowerCase() ?? '';
  const known = Object.hasOwn(finishReasons, word) ? finishReasons[word] : undefined;
  if (callsTools && known !== 'length' && known !== 'content_filter') return 'tool_calls';
  return known ?? native;
}

/**
 * One of the answers of a response: read at once, or chunk by chunk, one after the other. What adds up over chunks is told as the sum so
 * far (refusal, log probabilities, annotations), since later metadata takes the place of earlier.
 */
export class AnsweredChoice {
  readonly #index: number;
  readonly #audioFormat: string;
  #callsTools = false;
  #ended = false;
  #audioId: string | undefined;
  #refusal = '';
  #logprobs: JsonRecord | undefined;
  #annotations: readonly unknown[] = [];

  constructor(index: number, audioFormat: string) {
    this.#index = index;
    this.#audioFormat = audioFormat;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get callsTools(): boolean {
    return this.#callsTools;
  }

  /** The whole answer. */
  whole(choice: JsonRecord, message: JsonRecord): GenerationInput {
    const calls = wholeToolCalls(listOf(message['tool_calls'], 'tool_calls'));
    this.#callsTools = calls.length > 0;
    return this.#generation(choice, message, true, { toolCalls: calls });
  }

  /** The next piece of it. */
  piece(choice: JsonRecord, delta: JsonRecord): GenerationInput {
    const { content } = delta;
    if (typeof content === 'string' && holdsOnly(delta, PLAIN_DELTA) && holdsOnly(choice, PLAIN_CHOICE)) {
      return { index: this.#index, text: content };
    }
    const calls = listOf(delta['tool_calls'], 'tool_calls');
    if (calls.length === 0) return this.#generation(choice, delta, false, {});
    this.#callsTools = true;
    return { ...this.#generation(choice, delta, false, {}), toolCallDeltas: calls.map(toolCallDelta) };
  }

  #generation(
    choice: JsonRecord,
    message: JsonRecord,
    whole: boolean,
    more: Pick<Parameters<typeof assistantMessage>[0] & object, 'toolCalls'>,
  ): GenerationInput {
    const index = this.#index;
    const content = messageContent(message);
    const audio = answeredAudio(message['audio'], this.#audioFormat, this.#audioId);
    if (audio?.id !== undefined) this.#audioId = audio.id;
    const metadata = this.#metadata(choice, message, content.refusal, whole);
    const text = content.text + content.refusal || audio?.transcript || '';
    const { toolCalls = NONE } = more;
    if (audio === undefined && content.reasoning.length === 0 && toolCalls.length === 0)
      return { index, text, metadata };
    const { reasoning } = content;
    const output = assistantMessage({ ...more, text, reasoning, media: audio?.media, metadata: audio?.metadata });
    return { index, output, metadata };
  }

  #metadata(
    choice: JsonRecord,
    message: JsonRecord,
    refusal: string,
    whole: boolean,
  ): Input<GenerationMetadata> | undefined {
    const metadata: Record<string, unknown> = {};
    const native = textOf(choice['finish_reason']);
    // Some servers end with something that is no word.
    const ends = whole || Boolean(choice['finish_reason']);
    if (ends) {
      this.#ended = true;
      const reason = finishReason(native, this.#callsTools);
      if (reason !== undefined) metadata['finishReason'] = reason;
      if (native !== undefined) metadata['nativeFinishReason'] = native;
    }
    if (refusal !== '') metadata['refusal'] = this.#refusal += refusal;
    if (isRecord(choice['logprobs']))
      metadata['logprobs'] = this.#logprobs = joined(this.#logprobs, choice['logprobs']);
    const annotations = message['annotations'];
    if (Array.isArray(annotations) && annotations.length > 0) {
      this.#annotations = [...this.#annotations, ...annotations];
      metadata['annotations'] = this.#annotations;
      const citations = citationsOf(this.#annotations);
      if (citations.length > 0) metadata['citations'] = citations;
    }
    if (this.#audioId !== undefined) metadata['audioId'] = this.#audioId;
    const filters = contentFilters(choice['content_filter_results']);
    if (filters.length > 0) metadata['contentFilters'] = filters;
    for (const _ in metadata) return metadata;
    return undefined;
  }
}

/** What nearly all chunks hold: a bit of text. */
const PLAIN_DELTA: ReadonlySet<string> = new Set(['content', 'role']);
const PLAIN_CHOICE: ReadonlySet<string> = new Set(['index', 'delta']);

function holdsOnly(fields: JsonRecord, names: ReadonlySet<string>): boolean {
  for (const name in fields) {
    if (fields[name] !== null && !names.has(name)) return false;
  }
  return true;
}

/** Log probabilities of the text and of the refusal, each a list by token. */
function joined(before: JsonRecord | undefined, more: JsonRecord): JsonRecord {
  if (before === undefined) return more;
  const sum: Record<string, unknown> = { ...before };
  for (const [name, list] of Object.entries(more)) {
    const earlier = sum[name];
    if (Array.isArray(earlier) && Array.isArray(list)) sum[name] = [...earlier, ...list];
    else if (list !== null && list !== undefined) sum[name] = list;
  }
  return sum;
}

/** The names of the filters that took something out. Source: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter */
function contentFilters(results: unknown): readonly string[] {
  if (!isRecord(results)) return [];
  return Object.keys(results).filter((name) => {
    const result = results[name];
    return isRecord(result) && result['filtered'] === true;
  });
}
