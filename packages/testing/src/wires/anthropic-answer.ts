// Content blocks and their events as on https://platform.claude.com/docs/en/api/messages, …/en/build-with-claude/streaming and
// …/en/build-with-claude/extended-thinking; usage as in …/en/build-with-claude/prompt-caching.
import type { FinishReason, JsonInput, Usage } from '@vernal/core';
import { cutText } from '../doubles/cut-text.js';
import type { ScriptAnswer } from '../doubles/script-step.js';
import { argumentsText } from '../doubles/script-step.js';
import { callIds } from './call-ids.js';

const FINISH: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};
export const ANTHROPIC_SIGNATURE = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=';

/** `stop_reason` for a portable reason; undefined when Anthropic has no such word. */
export function anthropicStopReason(reason: FinishReason): string | undefined {
  return FINISH[reason];
}

/** Anthropic counts what was read from and written to the cache beside `input_tokens`, not in it. */
export function anthropicUsage(usage: Usage): Record<string, unknown> {
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  return {
    input_tokens: (usage.promptTokens ?? 0) - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: usage.completionTokens ?? 0,
    service_tier: 'standard',
  };
}

/** Input of a tool is an object on this wire: text that is not one cannot be sent whole. */
function inputOf(value: JsonInput): unknown {
  const text = argumentsText(value);
  return text === '' ? {} : JSON.parse(text);
}

/** The `content` of a whole answer. */
export function anthropicContent(answer: ScriptAnswer): Record<string, unknown>[] {
  const content: Record<string, unknown>[] = [];
  const nextId = callIds('toolu');
  if (answer.reasoning !== undefined) {
    content.push({ type: 'thinking', thinking: answer.reasoning, signature: ANTHROPIC_SIGNATURE });
  }
  if (answer.text !== undefined && answer.text !== '') content.push({ type: 'text', text: answer.text });
  for (const call of answer.toolCalls ?? []) {
    content.push({ type: 'tool_use', id: call.id ?? nextId(), name: call.name, input: inputOf(call.arguments) });
  }
  return content;
}

/** The start, the deltas and the stop of each content block of a streamed answer. */
export function* anthropicBlocks(answer: ScriptAnswer): Generator<Record<string, unknown>> {
  const nextId = callIds('toolu');
  let index = 0;
  function* block(start: object, deltas: readonly object[]): Generator<Record<string, unknown>> {
    yield { type: 'content_block_start', index, content_block: start };
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
    index++;
  }
  if (answer.reasoning !== undefined) {
    yield* block({ type: 'thinking', thinking: '', signature: '' }, [
      ...cutText(answer.reasoning, answer.chunks).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: ANTHROPIC_SIGNATURE },
    ]);
  }
  if (answer.text !== undefined && answer.text !== '') {
    const deltas = cutText(answer.text, answer.chunks).map((text) => ({ type: 'text_delta', text }));
    yield* block({ type: 'text', text: '' }, deltas);
  }
  for (const call of answer.toolCalls ?? []) {
    // The first delta of an input is always empty.
    const pieces = ['', ...cutText(argumentsText(call.arguments), answer.chunks)];
    yield* block(
      { type: 'tool_use', id: call.id ?? nextId(), name: call.name, input: {} },
      pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    );
  }
}
