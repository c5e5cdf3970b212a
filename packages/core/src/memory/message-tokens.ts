import type { TokenCountEstimator } from '../embedding/batching-strategy.js';
import type { Message } from '../messages/message.js';

/**
 * Counts each message once: counts are kept for as long as the message lives. What the model reads counts: text, reasoning, calls with
 * their arguments, answers. Media do not, nor does what a provider adds around each message.
 */
export function messageTokenCounter(estimator: TokenCountEstimator): (message: Message) => number {
  const counts = new WeakMap<Message, number>();
  return (message) => {
    const known = counts.get(message);
    if (known !== undefined) return known;
    let count = 0;
    for (const text of textsOf(message)) if (text !== undefined && text !== '') count += estimator.count(text);
    counts.set(message, count);
    return count;
  };
}

function textsOf(message: Message): readonly (string | undefined)[] {
  switch (message.type) {
    case 'assistant':
      return [
        message.text,
        ...message.reasoning.map(({ text }) => text),
        ...message.toolCalls.flatMap((call) => [call.name, call.arguments]),
      ];
    case 'tool':
      return message.responses.flatMap(({ name, result }) => [name, result]);
    default:
      return [message.text];
  }
}
