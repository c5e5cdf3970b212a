import {
  assistantMessage,
  type GenerationInput,
  invalidArgument,
  type JsonObject,
  type ReasoningPart,
  type ToolCallDelta,
} from '@vernal/core';
import { fieldsOf, isFields, textIfAny, textOf, textOrNone } from './json-fields.js';

/** A content block of an answer, as far as it has come. */
export type AnswerBlock =
  | { readonly type: 'text'; length: number; readonly citations: JsonObject[] }
  | { readonly type: 'reasoning'; told: boolean }
  /** `more`: what is told of the call beside its id, name and input; `unsaid`: the input of its start, until deltas bring another. */
  | { readonly type: 'tool_use'; readonly more: JsonObject; unsaid: string | undefined }
  | { readonly type: 'block'; readonly block: JsonObject; input: string };

/** What blocks hold that no delta has brought. */
export interface BlockRest {
  readonly reasoning: readonly ReasoningPart[];
  readonly toolCallDeltas: readonly ToolCallDelta[];
}

/**
 * The content blocks of one answer, whole or in deltas. What messages have a field for comes back as pieces of a generation; what they
 * have none for (citations, tools that ran at Anthropic, the order) stays here until the end.
 */
export class AnswerBlocks {
  readonly blocks: AnswerBlock[] = [];
  /** Positions in `blocks` by the index on the wire. */
  readonly #positions = new Map<unknown, number>();

  /** Servers differ in what they put into a block's start and what into deltas: whatever is there counts. */
  start(index: unknown, value: unknown): GenerationInput | undefined {
    const block = fieldsOf(value, 'content_block');
    const type = textOf(block['type'], 'content_block.type');
    const position = this.blocks.length;
    this.#positions.set(index, position);
    switch (type) {
      case 'text': {
        const citations = Array.isArray(block['citations']) ? block['citations'] : [];
        this.blocks.push({ type, length: 0, citations: citations.map((one) => fieldsOf(one, 'citation')) });
        return this.#text(index, textOrNone(block['text'], 'text'));
      }
      case 'thinking':
        this.blocks.push({ type: 'reasoning', told: false });
        return this.#reasoning(index, {
          text: textOrNone(block['thinking'], 'thinking'),
          signature: textOrNone(block['signature'], 'signature'),
        });
      case 'redacted_thinking':
        this.blocks.push({ type: 'reasoning', told: false });
        return this.#reasoning(index, { redactedData: textOf(block['data'], 'data') });
      case 'tool_use': {
        const { type: _, id, name, input, caller, ...rest } = block;
        const more = isFields(caller) && caller['type'] !== 'direct' ? { ...rest, caller } : rest;
        this.blocks.push({ type, more, unsaid: argumentsText(input) });
        return { toolCallDeltas: [{ index: position, id: textIfAny(id), name: textOf(name, 'name') }] };
      }
      default:
        this.blocks.push({ type: 'block', block, input: '' });
        return undefined;
    }
  }

  delta(index: unknown, value: unknown): GenerationInput | undefined {
    const delta = fieldsOf(value, 'delta');
    switch (textOf(delta['type'], 'delta.type')) {
      case 'text_delta':
        return this.#text(index, textOf(delta['text'], 'text'));
      case 'thinking_delta':
        return this.#reasoning(index, { text: textOf(delta['thinking'], 'thinking') });
      case 'signature_delta':
        return this.#reasoning(index, { signature: textOf(delta['signature'], 'signature') });
      case 'citations_delta':
        this.#open(index, 'text').citations.push(fieldsOf(delta['citation'], 'citation'));
        return undefined;
      case 'input_json_delta':
        return this.#input(index, textOf(delta['partial_json'], 'partial_json'));
      default:
        return undefined;
    }
  }

  /** The rest of a block that has ended. */
  stop(index: unknown): GenerationInput | undefined {
    const position = this.#positions.get(index);
    if (position === undefined) return undefined;
    const { reasoning, toolCallDeltas } = this.#rest([position]);
    if (toolCallDeltas.length > 0) return { toolCallDeltas };
    return reasoning.length > 0 ? { output: assistantMessage({ reasoning }) } : undefined;
  }

  /** The rest of every block that did not say that it has ended. */
  end(): BlockRest {
    return this.#rest(this.blocks.keys());
  }

  #rest(positions: Iterable<number>): BlockRest {
    const reasoning: ReasoningPart[] = [];
    const toolCallDeltas: ToolCallDelta[] = [];
    for (const index of positions) {
      const block = this.blocks[index];
      if (block?.type === 'tool_use' && block.unsaid !== undefined) {
        toolCallDeltas.push({ index, arguments: block.unsaid });
        block.unsaid = undefined;
      }
      if (block?.type === 'reasoning' && !block.told) {
        reasoning.push({ text: '', provider: 'anthropic', index });
        block.told = true;
      }
    }
    return { reasoning, toolCallDeltas };
  }

  #text(index: unknown, text: string): GenerationInput | undefined {
    if (text === '') return undefined;
    this.#open(index, 'text').length += text.length;
    return { text };
  }

  #reasoning(index: unknown, part: ReasoningPart): GenerationInput | undefined {
    const given = Object.fromEntries(Object.entries(part).filter(([, text]) => text !== ''));
    if (Object.keys(given).length === 0) return undefined;
    this.#open(index, 'reasoning').told = true;
    const whole = { ...given, provider: 'anthropic', index: this.#positions.get(index) ?? 0 };
    return { output: assistantMessage({ reasoning: [whole] }) };
  }

  #input(index: unknown, text: string): GenerationInput | undefined {
    const position = this.#positions.get(index);
    const block = position === undefined ? undefined : this.blocks[position];
    if (block?.type === 'block') {
      block.input += text;
      return undefined;
    }
    if (block?.type !== 'tool_use') throw invalidArgument('input_json_delta', 'must follow the start of a tool call');
    if (text === '') return undefined;
    block.unsaid = undefined;
    return { toolCallDeltas: [{ index: position, arguments: text }] };
  }

  /** Deltas of text and thinking say what they are: they need no start, and begin a block after one of another type. */
  #open<Type extends 'text' | 'reasoning'>(index: unknown, type: Type): Extract<AnswerBlock, { type: Type }> {
    const position = this.#positions.get(index);
    const open = position === undefined ? undefined : this.blocks[position];
    if (open?.type === type) return open as Extract<AnswerBlock, { type: Type }>;
    const block = (type === 'text' ? { type, length: 0, citations: [] } : { type, told: false }) as Extract<
      AnswerBlock,
      { type: Type }
    >;
    this.#positions.set(index, this.blocks.push(block) - 1);
    return block;
  }
}

/** Some servers send the input as the text it is made of. */
function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
