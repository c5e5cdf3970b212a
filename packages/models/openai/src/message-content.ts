import { isRecord, type JsonRecord, type ReasoningPart } from '@vernal/core';
import { fieldsOf, listOf, textOf } from './answer-reading.js';

/** What a message, or a piece of one, says. */
export interface MessageContent {
  readonly text: string;
  readonly reasoning: readonly ReasoningPart[];
  /** '' when nothing was refused. */
  readonly refusal: string;
}

/**
 * Reads `content`, a text or a list of parts, as other servers have it, and reasoning: OpenAI's own chat completions do not show it;
 * DeepSeek, vLLM and others send `reasoning_content` or `reasoning`, and Mistral has it among the parts.
 * Sources: https://api-docs.deepseek.com/guides/reasoning_model, https://docs.vllm.ai/en/latest/features/reasoning_outputs.html,
 * https://docs.mistral.ai/capabilities/reasoning
 */
export function messageContent(message: JsonRecord): MessageContent {
  const { content } = message;
  const refusal = textOf(message['refusal']) ?? '';
  const reasoning = textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? '';
  if (typeof content === 'string' || content === undefined || content === null) {
    return { text: content ?? '', reasoning: reasoningParts(reasoning), refusal };
  }
  const parts = listOf(content, 'content').map(readPart);
  const join = (kind: Part['kind']): string => parts.map((part) => (part.kind === kind ? part.text : '')).join('');
  return {
    text: join('text'),
    reasoning: reasoningParts(reasoning + join('reasoning')),
    refusal: refusal + join('refusal'),
  };
}

interface Part {
  readonly kind: 'text' | 'reasoning' | 'refusal';
  readonly text: string;
}

function readPart(value: unknown): Part {
  if (typeof value === 'string') return { kind: 'text', text: value };
  const part = fieldsOf(value, 'a part of the content');
  switch (part['type']) {
    case 'refusal':
      return { kind: 'refusal', text: said(part['refusal']) };
    case 'thinking':
    case 'reasoning':
      return { kind: 'reasoning', text: thought(part['thinking'] ?? part['reasoning'] ?? part['text']) };
    default:
      // Kinds that are not known, such as references, hold no text.
      return { kind: 'text', text: said(part['text']) };
  }
}

function thought(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value, 'thinking')
    .map((part) => (isRecord(part) ? said(part['text']) : ''))
    .join('');
}

function said(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new TypeError('the text of a part is no text');
  return value;
}

function reasoningParts(text: string): readonly ReasoningPart[] {
  return text === '' ? NONE : [{ text, provider: 'openai' }];
}

const NONE: readonly ReasoningPart[] = Object.freeze([]);
