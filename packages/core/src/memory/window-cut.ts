import type { Message } from '../messages/message.js';

/**
 * Where the window begins: at the earliest user message from which on the messages fit into `budget`, or at the user message that began
 * the running turn when that alone is too much. 0 when everything fits, and when there is no user message to cut before. Calls and answers
 * stay together, because both lie between two user messages.
 */
export function windowCut(messages: readonly Message[], budget: number, cost: (message: Message) => number): number {
  let used = 0;
  let cut = -1;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message === undefined) continue;
    used += cost(message);
    if (used > budget) return cut === -1 ? Math.max(0, lastUser(messages)) : cut;
    if (message.type === 'user') cut = i;
  }
  return 0;
}

export function lastUser(messages: readonly Message[]): number {
  for (let i = messages.length - 1; i >= 0; i--) if (messages[i]?.type === 'user') return i;
  return -1;
}
