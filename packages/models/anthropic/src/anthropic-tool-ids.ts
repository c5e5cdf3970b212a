import type { Message } from '@vernal/core';

/** What the API takes. Source: the pattern in its refusals, "tool_use.id: String should match pattern". */
const TAKEN = /^[a-zA-Z0-9_-]+$/;

/**
 * The same messages with ids of tool calls that the API takes: of letters, digits, '_' and '-', each once. Histories from other providers
 * have others, such as 'functions.add:0', or count anew in each round. The same beginning always gets the same ids, so caches hold.
 */
export function withTakenIds<T extends Message>(messages: readonly T[]): readonly T[] {
  const ids = messages.flatMap((message) =>
    message.type === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
  );
  if (ids.every((id) => TAKEN.test(id)) && new Set(ids).size === ids.length) return messages;
  const used = new Set<string>();
  /** Of the calls that wait for their results, by the ids they came with. */
  const waiting = new Map<string, string[]>();
  return messages.map((message) => {
    if (message.type === 'tool') {
      const responses = message.responses.map((response) => {
        return { ...response, id: waiting.get(response.id)?.shift() ?? spelled(response.id) };
      });
      return { ...message, responses };
    }
    if (message.type !== 'assistant' || message.toolCalls.length === 0) return message;
    waiting.clear();
    const toolCalls = message.toolCalls.map((call) => {
      const id = unused(spelled(call.id), used);
      waiting.set(call.id, [...(waiting.get(call.id) ?? []), id]);
      return { ...call, id };
    });
    return { ...message, toolCalls };
  });
}

function spelled(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}

function unused(id: string, used: Set<string>): string {
  let free = id;
  for (let n = 1; used.has(free); n++) free = `${id}_${n}`;
  used.add(free);
  return free;
}
