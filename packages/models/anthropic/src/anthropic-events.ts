import type { RawContentBlockDelta, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import {
  assistantMessage,
  type ChatResponse,
  chatResponse,
  type GenerationInput,
  type Input,
  type RateLimit,
  type ReasoningPart,
} from '@vernal/core';
import { anthropicFinishReason } from './anthropic-response.js';
import { type AnthropicUsage, fromAnthropicUsage, mergeAnthropicUsage } from './anthropic-usage.js';

/** Events of one answer, one after the other: remembers the usage, of which every event tells a part. */
export class EventReader {
  #usage: AnthropicUsage = {};
  #rateLimit: Input<RateLimit> | undefined;
  #complete = false;

  constructor(rateLimit: Input<RateLimit> | undefined) {
    this.#rateLimit = rateLimit;
  }

  /** True once the answer's last event, or the reason why it ended, has come. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The chunk in an event; undefined when it holds none. */
  read(event: RawMessageStreamEvent): ChatResponse | undefined {
    switch (event.type) {
      case 'message_start': {
        this.#usage = mergeAnthropicUsage(this.#usage, event.message.usage);
        const { id, model } = event.message;
        const rateLimit = this.#rateLimit;
        return chatResponse([], { id, model, rateLimit, usage: fromAnthropicUsage(this.#usage) });
      }
      case 'content_block_start':
        return this.#start(event.index, event.content_block);
      case 'content_block_delta':
        return delta(event.index, event.delta);
      case 'message_delta': {
        this.#usage = mergeAnthropicUsage(this.#usage, event.usage);
        const { stop_reason: native, stop_sequence: stopSequence } = event.delta;
        this.#complete ||= native !== null;
        const metadata = {
          finishReason: anthropicFinishReason(native),
          nativeFinishReason: native ?? undefined,
          stopSequence: stopSequence ?? undefined,
        };
        return chatResponse([{ index: 0, metadata }], { usage: fromAnthropicUsage(this.#usage) });
      }
      case 'message_stop':
        this.#complete = true;
        return undefined;
      default:
        return undefined;
    }
  }

  #start(
    index: number,
    block: Extract<RawMessageStreamEvent, { type: 'content_block_start' }>['content_block'],
  ): ChatResponse | undefined {
    if (block.type === 'tool_use') return piece({ toolCallDeltas: [{ index, id: block.id, name: block.name }] });
    if (block.type === 'redacted_thinking')
      return reasoning({ redactedData: block.data, provider: 'anthropic', index });
    if (block.type === 'text' && block.text !== '') return piece({ text: block.text });
    return undefined;
  }
}

function delta(index: number, part: RawContentBlockDelta): ChatResponse | undefined {
  switch (part.type) {
    case 'text_delta':
      return piece({ text: part.text });
    case 'thinking_delta':
      return reasoning({ text: part.thinking, provider: 'anthropic', index });
    case 'signature_delta':
      return reasoning({ signature: part.signature, provider: 'anthropic', index });
    case 'input_json_delta':
      return piece({ toolCallDeltas: [{ index, arguments: part.partial_json }] });
    default:
      return undefined;
  }
}

const piece = (input: GenerationInput): ChatResponse => chatResponse([{ index: 0, ...input }]);
const reasoning = (part: ReasoningPart): ChatResponse => piece({ output: assistantMessage({ reasoning: [part] }) });
