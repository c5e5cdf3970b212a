import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { AssistantMessage, JsonObject, JsonValue, ReasoningPart } from '@vernal/core';
import { toolCallInput } from '@vernal/core/adapter';
import type { AnswerBlock } from './anthropic-blocks.js';
import { isFields } from './json-fields.js';

/**
 * Key in an answer's metadata: its content blocks in their order, where text, reasoning and tool calls alone do not say it. Each entry
 * stands for one block; what the message holds itself is not repeated: of a text the length, with its citations; of a tool call what it says
 * beside its input. Only this package
 * reads it.
 */
const CONTENT = 'anthropicContent';

/** The metadata of an answer that has to go back to Anthropic as it came; none when the message says it all. */
export function contentMetadata(blocks: readonly AnswerBlock[]): { readonly [CONTENT]?: readonly JsonObject[] } {
  return isPlain(blocks) ? {} : { [CONTENT]: blocks.map(entry) };
}

const RANKS: Readonly<Record<AnswerBlock['type'], number>> = { reasoning: 0, text: 1, tool_use: 2, block: 3 };

/** Reasoning, then text, then tool calls, and nothing about them that a message cannot hold. */
function isPlain(blocks: readonly AnswerBlock[]): boolean {
  return blocks.every((block, i) => {
    if (block.type === 'block' || RANKS[block.type] < RANKS[blocks[i - 1]?.type ?? 'reasoning']) return false;
    return block.type === 'text'
      ? block.citations.length === 0
      : block.type !== 'tool_use' || Object.keys(block.more).length === 0;
  });
}

function entry(block: AnswerBlock): JsonObject {
  switch (block.type) {
    case 'text':
      return {
        type: 'text',
        length: block.length,
        ...(block.citations.length > 0 ? { citations: block.citations } : {}),
      };
    case 'reasoning':
      return { type: 'reasoning' };
    case 'tool_use':
      return { type: 'tool_use', ...(Object.keys(block.more).length === 0 ? {} : { more: block.more }) };
    case 'block':
      return { type: 'block', block: wholeBlock(block.block, block.input) };
  }
}

/** With the input that came in deltas. */
function wholeBlock(block: JsonObject, input: string): JsonObject {
  if (input === '') return block;
  try {
    return { ...block, input: JSON.parse(input) as JsonValue };
  } catch {
    // The answer was cut short in the middle of it.
    return block;
  }
}

/** The blocks of an earlier answer: in the order they came, when that is known and the message still is what it was. */
export function assistantBlocks(message: AssistantMessage): ContentBlockParam[] {
  const content = message.metadata[CONTENT];
  const entries = Array.isArray(content) ? content.filter(isFields) : [];
  if (fits(message, entries)) return inOrder(message, entries);
  return [
    ...message.reasoning.flatMap(thinkingBlock),
    ...entries.flatMap(keptBlock),
    ...textBlock(message.text),
    ...message.toolCalls.map((call) => toolUseBlock(call)),
  ];
}

/** Others may have changed the message, or joined several to one. */
function fits({ text, reasoning, toolCalls }: AssistantMessage, entries: readonly JsonObject[]): boolean {
  const count = (type: string): number => entries.filter((one) => one['type'] === type).length;
  const length = entries.reduce((sum, one) => sum + lengthOf(one), 0);
  return length === text.length && count('reasoning') === reasoning.length && count('tool_use') === toolCalls.length;
}

function inOrder(
  { text, reasoning, toolCalls }: AssistantMessage,
  entries: readonly JsonObject[],
): ContentBlockParam[] {
  const thoughts = reasoning.values();
  const calls = toolCalls.values();
  let start = 0;
  return entries.flatMap((one): ContentBlockParam[] => {
    const end = start + lengthOf(one);
    const words = text.slice(start, end);
    start = end;
    switch (one['type']) {
      case 'text':
        return textBlock(words, one['citations']);
      case 'reasoning':
        return thinkingBlock(thoughts.next().value ?? {});
      case 'tool_use': {
        const call = calls.next().value;
        return call === undefined ? [] : [toolUseBlock(call, one['more'])];
      }
      default:
        return keptBlock(one);
    }
  });
}

function lengthOf(one: JsonObject): number {
  return one['type'] === 'text' && typeof one['length'] === 'number' ? one['length'] : 0;
}

/** What came from the API is what it takes. */
function keptBlock({ type, block }: JsonObject): ContentBlockParam[] {
  return type === 'block' && isFields(block) ? [block as unknown as ContentBlockParam] : [];
}

/** The API refuses texts of nothing but white space. */
function textBlock(text: string, citations?: JsonValue): ContentBlockParam[] {
  if (text.trim() === '') return [];
  const block = { type: 'text', text, ...(citations === undefined ? {} : { citations }) };
  return [block as ContentBlockParam];
}

function toolUseBlock(call: AssistantMessage['toolCalls'][number], more?: JsonValue): ContentBlockParam {
  const others = isFields(more) ? more : {};
  return { ...others, type: 'tool_use', id: call.id, name: call.name, input: toolCallInput(call) };
}

/** Thinking goes back as it came; without its signature, or from another provider, the API would refuse it. */
function thinkingBlock(part: ReasoningPart): ContentBlockParam[] {
  if (part.provider !== 'anthropic') return [];
  if (part.redactedData !== undefined) return [{ type: 'redacted_thinking', data: part.redactedData }];
  return part.signature === undefined
    ? []
    : [{ type: 'thinking', thinking: part.text ?? '', signature: part.signature }];
}
