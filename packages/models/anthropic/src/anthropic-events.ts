import {
  assistantMessage,
  type ChatResponse,
  type ChatResponseMetadataInput,
  chatResponse,
  type GenerationInput,
  type Input,
  type JsonObject,
  type RateLimit,
} from '@vernal/core';
import { AnswerBlocks } from './anthropic-blocks.js';
import { citationsOf } from './anthropic-citations.js';
import { contentMetadata } from './anthropic-content.js';
import { anthropicEnding } from './anthropic-ending.js';
import { type AnthropicUsage, fromAnthropicUsage, mergeAnthropicUsage } from './anthropic-usage.js';
import { webSearchResultsOf } from './anthropic-web-search.js';
import { fieldsOf, isFields, textIfAny } from './json-fields.js';

/** Events of one answer, one after the other: remembers the usage, of which every event tells a part, and the blocks. */
export class EventReader {
  readonly #answer = new AnswerBlocks();
  readonly #rateLimit: Input<RateLimit> | undefined;
  #usage: AnthropicUsage = {};
  #started = false;
  #complete = false;
  #ended = false;

  constructor(rateLimit: Input<RateLimit> | undefined) {
    this.#rateLimit = rateLimit;
  }

  /** True once anything has come. */
  get started(): boolean {
    return this.#started;
  }

  /** True once the answer's last event, or the reason why it ended, has come. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The chunk in an event; undefined when it holds none. Throws `invalid_argument` for what is no event. */
  read(value: unknown): ChatResponse | undefined {
    const event = fieldsOf(value, 'event');
    this.#started = true;
    switch (event['type']) {
      case 'message_start':
        return this.#begin(fieldsOf(event['message'], 'message'));
      case 'content_block_start':
        return piece(this.#answer.start(event['index'], event['content_block']));
      case 'content_block_delta':
        return piece(this.#answer.delta(event['index'], event['delta']));
      case 'content_block_stop':
        return piece(this.#answer.stop(event['index']));
      case 'message_delta':
        return this.#change(fieldsOf(event['delta'], 'delta'), event['usage']);
      case 'message_stop':
        this.#complete = true;
        return this.#ended ? undefined : this.#end({});
      default:
        return undefined;
    }
  }

  #begin(message: JsonObject): ChatResponse {
    this.#usage = mergeAnthropicUsage(this.#usage, message['usage']);
    return chatResponse([], {
      id: textIfAny(message['id']),
      model: textIfAny(message['model']),
      rateLimit: this.#rateLimit,
      usage: fromAnthropicUsage(this.#usage),
      ...container(message),
    });
  }

  #change(delta: JsonObject, usage: unknown): ChatResponse {
    this.#usage = mergeAnthropicUsage(this.#usage, usage);
    if (typeof delta['stop_reason'] !== 'string') {
      return chatResponse([], { usage: fromAnthropicUsage(this.#usage), ...container(delta) });
    }
    this.#complete = true;
    return this.#end(delta);
  }

  /** The last chunk: why the answer ended, and what is only known now. */
  #end(delta: JsonObject): ChatResponse {
    this.#ended = true;
    const { blocks } = this.#answer;
    const { reasoning, toolCallDeltas } = this.#answer.end();
    const citations = citationsOf(blocks);
    const webSearchResults = webSearchResultsOf(blocks);
    const last: GenerationInput = {
      index: 0,
      output: assistantMessage({ reasoning, metadata: contentMetadata(blocks) }),
      toolCallDeltas: toolCallDeltas.length > 0 ? toolCallDeltas : undefined,
      metadata: {
        ...anthropicEnding(delta),
        ...(citations.length > 0 ? { citations, citationCount: citations.length } : {}),
        ...(webSearchResults.length > 0 ? { webSearchResults } : {}),
      },
    };
    return chatResponse([last], { usage: fromAnthropicUsage(this.#usage), ...container(delta) });
  }
}

const piece = (input: GenerationInput | undefined): ChatResponse | undefined =>
  input === undefined ? undefined : chatResponse([{ index: 0, ...input }]);

/** Where Anthropic ran code: its id, for the next request, and until when it lasts. */
function container({ container: value }: JsonObject): ChatResponseMetadataInput {
  if (!isFields(value)) return {};
  const id = textIfAny(value['id']);
  const expiresAt = textIfAny(value['expires_at']);
  if (id === undefined) return {};
  return { container: { id, ...(expiresAt === undefined ? {} : { expiresAt }) } };
}
