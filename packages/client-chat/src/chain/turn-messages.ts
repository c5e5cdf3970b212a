import type { Message } from '@vernal/core';
import type { ChatClientResponse } from '../advisors/advisor-request.js';

/**
 * What a prompt brings into its conversation: the messages after its last assistant message, system messages apart. What stands before
 * is history or examples, said in an earlier turn or in none.
 */
export function newMessages(messages: readonly Message[]): Message[] {
  let from = messages.length;
  while (from > 0 && messages[from - 1]?.type !== 'assistant') from--;
  const added: Message[] = [];
  for (let i = from; i < messages.length; i++) {
    const message = messages[i];
    if (message !== undefined && message.type !== 'system') added.push(message);
  }
  return added;
}

/**
 * The same turn as an advisor further out knows it: with the messages of its own prompt in front, for an advisor further in may have
 * rewritten them (retrieval, re-reading). A turn without an answer stays as it is.
 */
export function turnAsAsked(asked: readonly Message[], turn: readonly Message[]): readonly Message[] {
  const answer = turn.findIndex((message) => message.type === 'assistant');
  return answer < 0 ? turn : [...newMessages(asked), ...turn.slice(answer)];
}

/** The response with the turn as its asker knows it; itself when nothing was rewritten. */
export function responseAsAsked(asked: readonly Message[], response: ChatClientResponse): ChatClientResponse {
  const { turn } = response;
  const last = asked[asked.length - 1];
  if (turn.length === 0 || last === undefined || turn.includes(last)) return response;
  return { ...response, turn: turnAsAsked(asked, turn) };
}

/** Where the running turn of a whole conversation begins: at its last run of user messages. */
export function turnStart(messages: readonly Message[]): number {
  let at = messages.findLastIndex((message) => message.type === 'user');
  if (at < 0) return messages.findLastIndex((message) => message.type === 'system') + 1;
  while (at > 0 && messages[at - 1]?.type === 'user') at--;
  return at;
}
