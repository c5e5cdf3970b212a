import type { AssistantMessage, Message, UserMessage } from '@vernal/core';
import { withoutMarks } from './fenced-text.js';
import type { Query } from './query.js';

function isSaid(message: Message): message is UserMessage | AssistantMessage {
  return (message.type === 'user' || message.type === 'assistant') && message.text.trim() !== '';
}

/** What user and assistant said before the query: without the query itself, should the history end with it. */
export function saidBefore({ text, history }: Query): readonly (UserMessage | AssistantMessage)[] {
  const said = history.filter(isSaid);
  const last = said.at(-1);
  return last?.type === 'user' && last.text.trim() === text.trim() ? said.slice(0, -1) : said;
}

/** A conversation as data in a prompt: each message in marks that no message can close. */
export function conversationText(messages: readonly (UserMessage | AssistantMessage)[]): string {
  const lines = messages.map(({ type, text }) => `<message from="${type}">\n${withoutMarks(text)}\n</message>`);
  return `<conversation>\n${lines.join('\n')}\n</conversation>`;
}
