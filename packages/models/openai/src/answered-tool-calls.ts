import type { JsonRecord, ToolCall, ToolCallDelta } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import { fieldsOf, textOf } from './answer-reading.js';

/** The calls of a whole answer. A call without an id gets one by its place; calls of custom tools, which nobody offered, are left out. */
export function wholeToolCalls(calls: readonly unknown[]): ToolCall[] {
  return calls.flatMap((value, at) => {
    const call = fieldsOf(value, 'a tool call');
    if (call['type'] === 'custom') return [];
    const called = fieldsOf(call['function'], 'the function of a tool call');
    const { name } = called;
    if (typeof name !== 'string') throw new TypeError('a tool call names no function');
    return [{ id: idOf(call) ?? `call_${at}`, name, arguments: argumentsText(called) ?? '' }];
  });
}

/** A piece of a call in a chunk; everything but the piece itself may be missing. */
export function toolCallDelta(value: unknown): ToolCallDelta {
  const call = fieldsOf(value, 'a tool call');
  const id = idOf(call);
  const called =
    (call['function'] ?? undefined) === undefined && id !== undefined ? {} : fieldsOf(call['function'], 'a function');
  const { name } = called;
  if (name !== undefined && name !== null && typeof name !== 'string') throw new TypeError('a name is no text');
  return { index: reportedCount(call['index']), id, name: name || undefined, arguments: argumentsText(called) };
}

/** Some servers count their calls. */
function idOf({ id }: JsonRecord): string | undefined {
  return typeof id === 'number' ? String(id) : textOf(id);
}

/** Some servers send the arguments as JSON and not as JSON text. */
function argumentsText(called: JsonRecord): string | undefined {
  const value = called['arguments'];
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}
